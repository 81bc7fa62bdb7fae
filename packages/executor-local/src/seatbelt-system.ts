const HOMEBREW = ['/opt/homebrew', '/usr/local']

/** Programs and libraries: Apple's, and those of Homebrew, to which Pythons of every origin are linked. */
export const PROGRAMS = [
  ...['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/libexec', '/usr/share'],
  ...['/System/Library', '/System/Cryptexes', '/System/Volumes/Preboot/Cryptexes', '/Library/Apple'],
  ...HOMEBREW.flatMap((brew) =>
    ['bin', 'lib', 'opt', 'Cellar', 'Frameworks', 'share'].map((name) => `${brew}/${name}`),
  ),
]

/** The linker's cache where it is in no cryptex, the time zones, which shell `/bin/sh` is, a process's own descriptors. */
export const SETTINGS = [
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/etc/localtime',
  '/private/var/select',
  '/dev/fd',
]

/** Names and certificates. What is beside them may be private keys and passwords. */
export const NETWORK_SETTINGS = [
  ...['hosts', 'resolv.conf', 'services', 'protocols'].map((name) => `/private/etc/${name}`),
  ...['cert.pem', 'certs', 'openssl.cnf'].map((name) => `/private/etc/ssl/${name}`),
  '/private/var/run/resolv.conf',
  ...HOMEBREW.flatMap((brew) => ['openssl@3', 'openssl@1.1', 'ca-certificates'].map((name) => `${brew}/etc/${name}`)),
]

/** Where names are resolved: the one socket of the system that the code may talk to. Others start containers, or sign. */
export const RESOLVER = '/private/var/run/mDNSResponder'

/** Asked for the addresses of names and for the proxies. Without a network Python asks no service of the system at all. */
export const NETWORK_SERVICES = [
  'com.apple.SystemConfiguration.DNSConfiguration',
  'com.apple.SystemConfiguration.configd',
  'com.apple.dnssd.service',
]

/** Links of the system, and the other end of `/Users`, as which some system calls know it. */
export const LINKS = [
  ...['/etc', '/tmp', '/var', '/dev/stdin', '/dev/stdout', '/dev/stderr'],
  '/System/Volumes/Data/Users',
]

export const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom']
export const WRITABLE_DEVICES = ['/dev/null', '/dev/zero', '/dev/fd']

/**
 * What a program may ask about the machine. Not `kern.proc…`: that is the table of processes, and `kern.procargs2` the
 * arguments and the environment of any other process of the user.
 */
export const FACTS = [
  ...['argmax', 'hostname', 'maxfilesperproc', 'maxproc', 'ngroups', 'osproductversion', 'osrelease', 'ostype'].map(
    kernel,
  ),
  ...['osvariant_status', 'osversion', 'secure_kernel', 'usrstack64', 'version'].map(kernel),
  ...['sysctl.proc_cputype', 'sysctl.proc_translated', 'vm.loadavg'],
]
export const FACT_FAMILIES = ['hw.', 'machdep.cpu.']

function kernel(name: string): string {
  return `kern.${name}`
}
