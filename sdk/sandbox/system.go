package sandbox

// systemFolders are read in a sandbox as they are. A link among them is a link inside, too.
var systemFolders = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
}

// systemFiles are those of /etc that programs look for, and /sys/devices/system/cpu, by which they count processors.
// Everything else of /etc stays outside, and so do the rest of /sys, /var, /run, /home, /root, /opt and /srv.
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
