/// What a libFuzzer program needs besides its target: libsystemc, which the layers link, asks for sc_main.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
