/// Deliberate faults of the directory and of slices that have one, for tests/nuba/mutants alone.
#pragma once

namespace numavp {

enum CoherenceFault : unsigned {
    kForgetsRecall = 301,      ///< a home tells nobody that a line was written
    kForgetsRecallOfAtomics,   ///< nor that an atomic was performed
    kKeepsRecalledCopy,        ///< a recall is acknowledged, and the copy stays
    kKeepsFillOnItsWay,        ///< a recall does not see that the line is on its way
    kServesLateReaders,        ///< who asks behind a recall gets the line that was on its way
    kAcknowledgesAtOnce,       ///< a recall counts as acknowledged when it is sent, before the copy is dropped
    kWaitsForSentRecallsAlone, ///< a kernel's end does not wait for those that have not left
    kNotesAnotherLine,         ///< the directory lists a copy of the neighbouring line
    kKeepsPassing,             ///< a line is kept of which its home could not note the copy
    kForgetsPassing,           ///< of a line's fills the last one alone says whether the line may be kept
    kEvictsSilently,           ///< a line loses its place in the directory without a recall
    kForgivesWhatIsLentAgain,  ///< a recall that waits is forgotten when the line is lent once more
    kWritesBackCopies,         ///< written copies stay dirty in the other half
    kWritesPastCopies,         ///< a write to a copy changes its home alone
    kKeepsCopyBehindAtomic     ///< an atomic is passed on to its home, and the copy stays
};

} // namespace numavp
