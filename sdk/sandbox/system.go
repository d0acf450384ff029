package sandbox

// systemFolders are mounted read-only in a sandbox. A symbolic link among them is recreated as a symbolic link.
var systemFolders = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
}

// systemFiles lists the files in /etc that programs look up, and /sys/devices/system/cpu, which they use to count
// processors. Nothing else in /etc is visible, nor are the rest of /sys, /var, /run, /home, /root, /opt, and /srv.
var systemFiles = []string{
	"/etc/alternatives",
	"/etc/ca-certificates",
	"/etc/ca-certificates.conf",
	"/etc/crypto-policies",
	"/etc/debian_version",
	"/etc/fonts",
	"/etc/gai.conf",
	"/etc/host.conf",
	"/etc/inputrc",
	"/etc/ld.so.cache",
	"/etc/ld.so.conf",
	"/etc/ld.so.conf.d",
	"/etc/localtime",
	"/etc/lsb-release",
	"/etc/magic",
	"/etc/mime.types",
	"/etc/nsswitch.conf",
	"/etc/os-release",
	"/etc/pki/ca-trust",
	"/etc/pki/tls/certs",
	"/etc/pki/tls/cert.pem",
	"/etc/pki/tls/openssl.cnf",
	"/etc/protocols",
	"/etc/redhat-release",
	"/etc/services",
	"/etc/ssl/certs",
	"/etc/ssl/cert.pem",
	"/etc/ssl/openssl.cnf",
	"/etc/terminfo",
	"/etc/timezone",
	"/sys/devices/system/cpu",
}
