/* What a policy may see of the machine beyond the fault itself: distances between sockets, use of their links. */
#include <sw/driver/registers.h> /* made by the build */

#include "sw/driver/driver.h"

enum { kByte = 8, kRoutersInRegister = 8, kLinksInRegister = 4 };

static uint64_t routers_register(uint32_t index) {
    return SYSTEM_ROUTERS_0 + index * (SYSTEM_ROUTERS_1 - SYSTEM_ROUTERS_0);
}

static uint64_t link_register(uint32_t index) {
    return SYSTEM_LINK_USE_0 + index * (SYSTEM_LINK_USE_1 - SYSTEM_LINK_USE_0);
}

/* The machine does not change: each row is read once, when its socket faults for the first time. */
static void read_routers(struct Driver* driver, uint32_t from) {
    hal_write64(driver->hal, SYSTEM_ROUTERS_OF, from);
    for (uint32_t to = 0; to < driver->view.sockets; to += kRoutersInRegister) {
        uint64_t bytes = hal_read64(driver->hal, routers_register(to / kRoutersInRegister));
        for (uint32_t i = to; i < to + kRoutersInRegister; ++i, bytes >>= kByte)
            driver->routers[from][i] = (uint8_t)bytes;
    }
    driver->routers_known |= (uint32_t)1 << from;
}

/* From the first register on, whose read takes a new sample if one is due: all others show the same. */
static void read_links(struct Driver* driver) {
    struct PolicyView* view = &driver->view;
    for (uint32_t first = 0; first < view->sockets; first += kLinksInRegister) {
        uint64_t bytes = hal_read64(driver->hal, link_register(first / kLinksInRegister));
        for (uint32_t i = first; i < first + kLinksInRegister; ++i, bytes >>= 2 * kByte) {
            view->link_out[i] = (uint8_t)bytes;
            view->link_in[i] = (uint8_t)(bytes >> kByte);
        }
    }
}

void driver_look(struct Driver* driver, uint32_t toucher) {
    if ((driver->policy->sees & kPolicySeesRouters) != 0) {
        if ((driver->routers_known >> toucher & 1) == 0) read_routers(driver, toucher);
        driver->view.routers = driver->routers[toucher];
    }
    if ((driver->policy->sees & kPolicySeesLinks) != 0) read_links(driver);
}
