# The loader model against the loaders themselves.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_executable(loader-model ${CMAKE_CURRENT_LIST_DIR}/model.cpp)
target_link_libraries(loader-model PRIVATE core warnings)
add_test(NAME loaders COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/compare.py
                              $<TARGET_FILE:loader-model>)
