# Finds SystemC 2.3.4 or later with TLM-2.0 and defines the target SystemC::systemc.
#
# Accellera's own CMake package is tried first (it knows its flags), then pkg-config (Debian ships only systemc.pc).
# The library refuses at link time a program built with another C++ standard than its own: use C++17 on Debian 12.
# Result: SystemC_FOUND, SystemC_VERSION.
if(TARGET SystemC::systemc)
    set(SystemC_FOUND TRUE)
    return()
endif()

find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND AND TARGET SystemC::systemc)
    set(SystemC_VERSION "${SystemCLanguage_VERSION}")
    set(SystemC_PROVIDER SystemC::systemc)
else()
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(SystemC_PC QUIET IMPORTED_TARGET systemc)
        if(SystemC_PC_FOUND)
            add_library(SystemC::systemc INTERFACE IMPORTED)
            target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SystemC_PC)
            set(SystemC_VERSION "${SystemC_PC_VERSION}")
            set(SystemC_PROVIDER PkgConfig::SystemC_PC)
        endif()
    endif()
endif()

# SystemC 3 calls SC_HAS_PROCESS obsolete, which 2.3.4 needs.
if(SystemC_PROVIDER AND NOT SystemC_VERSION VERSION_LESS 3)
    set_property(TARGET SystemC::systemc APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS SC_ALLOW_DEPRECATED_IEEE_API)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS SystemC_PROVIDER VERSION_VAR SystemC_VERSION
    REASON_FAILURE_MESSAGE "install libsystemc-dev, or set SystemCLanguage_DIR or PKG_CONFIG_PATH")
