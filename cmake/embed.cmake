# SPDX-License-Identifier: MIT
# cmake -DFROM=file -DTO=header -DNAME=array -P embed.cmake: the bytes of a file as a C array that ends with a zero.
file(READ "${FROM}" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${TO}" "static const unsigned char ${NAME}[] = {\n${bytes}0x00};\n")
