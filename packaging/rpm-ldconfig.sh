# after libbtf_locs.so came or went; text of a scriptlet, run by rpm
/sbin/ldconfig || :
