/// Wires and crossbars on a chip at 22 nm, 0.8 V and 340 K, in closed form.
///
/// Fitted to DSENT's router and repeated link (Sun et al., NOCS 2012; technology Bulk22LVT) over 2 to 32 ports, 64 to
/// 512 bits a flit and 1 to 32 flits of buffer: energy of a flit within 7 %, at 8 flits 3.2 %, leakage within 3.1 %.
/// Random data. Energies in fJ, leakage in uW.
#pragma once

namespace numavp {

/// A crossbar with input buffers and as many inputs as outputs.
struct CrossbarEnergy {
    double ports = 8, bits = 128; ///< bits of a flit
    double buffer_flits = 8;      ///< of an input, all virtual channels together
    double inner_wires = 0;       ///< 1: rows and columns of the crossbar count, 0.11 um a track; DSENT: 0

    /// Energy of a flit: written into a buffer, read, switched, arbitrated.
    double flit_fj() const {
        const double write = bits * (3.15 + 0.448 * buffer_flits);
        const double read = bits * (1.37 + 0.427 * buffer_flits + 0.040 * ports);
        const double cross = bits * (0.83 + 0.661 * ports) + inner_wires * 0.0056 * ports * bits * bits;
        const double grant = 4.0 * ports + 0.63 * ports * ports;
        return write + read + cross + grant;
    }
    /// Energy of the clock tree in a cycle.
    double clock_fj() const { return 0.437 * ports * bits; }
    double leakage_uw() const {
        return ports * bits * (1.58 + 1.464 * buffer_flits) + ports * bits * (0.586 + 0.397 * ports) +
               1.35 * ports * ports * ports;
    }
};

/// A bundle of repeated wires.
struct WireEnergy {
    double bits = 128, mm = 6;
    double factor = 1; ///< of the energy: 1 is DSENT's wire, 3 the low end of published ones (Keckler et al., 2011)

    /// Energy of one transfer over all wires.
    double pass_fj() const { return 23.8 * factor * bits * mm; }
    /// Leakage; wires longer than 3 mm per cycle have larger repeaters.
    double leakage_uw() const { return (mm <= 3.0 ? 0.16 : 0.40) * bits * mm; }
};

/// The register at the end of a wire.
struct RegisterEnergy {
    double bits = 128;

    double pass_fj() const { return 2.2 * bits; }
    double leakage_uw() const { return 0.97 * bits; }
};

} // namespace numavp
