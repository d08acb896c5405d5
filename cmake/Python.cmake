# The Python package numavp: pure Python over the program and numavp_c. Of the prefix /usr, Debian's Python 3 finds it
# there by itself; of another one, PYTHONPATH names the folder.
set(NUMAVP_PYTHON_DIR "lib/python3/dist-packages" CACHE STRING "Where Python packages are installed, below the prefix")
file(RELATIVE_PATH NUMAVP_PYTHON_TO_PREFIX "/prefix/${NUMAVP_PYTHON_DIR}/numavp" "/prefix")
configure_file(python/numavp/_installed.py.in "${PROJECT_BINARY_DIR}/python/_installed.py" @ONLY)
install(DIRECTORY python/numavp DESTINATION "${NUMAVP_PYTHON_DIR}" FILES_MATCHING PATTERN "*.py"
        PATTERN "__pycache__" EXCLUDE)
install(FILES "${PROJECT_BINARY_DIR}/python/_installed.py" DESTINATION "${NUMAVP_PYTHON_DIR}/numavp")
