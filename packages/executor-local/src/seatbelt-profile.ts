import {
  DEVICES,
  FACT_FAMILIES,
  FACTS,
  LINKS,
  NETWORK_SERVICES,
  NETWORK_SETTINGS,
  PROGRAMS,
  RESOLVER,
  SETTINGS,
  WRITABLE_DEVICES,
} from './seatbelt-system.ts'

/** What a sandbox may reach. All paths are real ones: Seatbelt looks at where a path leads, not at how it was written. */
export interface Reach {
  readonly workspace: string
  /** The sandbox's own place for temporary files. */
  readonly temporary: string
  /** Folders and files that may be read, and programs in them run. */
  readonly readable: readonly string[]
  /** The same, and written. */
  readonly writable: readonly string[]
  /** Links through which those are reached. They are followed; nothing around them is seen. */
  readonly links: readonly string[]
  readonly network: boolean
}

/** Rules for `sandbox-exec`, and the paths that they speak of by name. */
export interface Profile {
  readonly text: string
  readonly parameters: Readonly<Record<string, string>>
}

const READ = ['file-read*', 'file-test-existence']
const FOLLOW = ['file-read-metadata', 'file-test-existence']

/**
 * The rules, in Seatbelt's language: of those that fit, the last one holds. Paths that come from outside stand in them as
 * parameters only, so that no path can say anything but where it is.
 */
export function seatbeltProfile({ workspace, temporary, readable, writable, links, network }: Reach): Profile {
  const parameters: Record<string, string> = { WORKSPACE: workspace, TEMPORARY: temporary }
  const named = (name: string, paths: readonly string[]): string[] =>
    paths.map((path, index) => {
      parameters[`${name}_${index}`] = path
      return parameter(`${name}_${index}`)
    })
  const own = ['WORKSPACE', 'TEMPORARY'].map(parameter)
  const written = [...own, ...named('WRITABLE', writable)]
  const read = [...PROGRAMS.map(quoted), ...named('READABLE', readable), ...written]
  const followed = named(
    'FOLLOWED',
    seen([...links, ...above([workspace, temporary, ...readable, ...writable, ...links])]),
  )
  const text = [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    // The topmost folder, itself only: on macOS 26 no program starts that cannot read it.
    allow(READ, ['(literal "/")']),
    allow(FOLLOW, [...SYSTEM_FOLLOWED.map(quoted), ...followed].map(literal)),
    allow([...READ, 'file-map-executable', 'process-exec*'], read.flatMap(place)),
    allow(READ, [...SETTINGS, ...DEVICES].map(quoted).flatMap(place)),
    allow(['file-write-data'], WRITABLE_DEVICES.map(quoted).flatMap(place)),
    allow(['file-write*'], written.flatMap(place)),
    // Else a second name for it, in the workspace, would make any file writable that may be read.
    '(deny file-link)',
    allow(['file-link'], own.flatMap(place)),
    allow(['sysctl-read'], [...FACTS.map(fact), ...FACT_FAMILIES.map(factFamily)]),
    // The locks of multiprocessing. Not its shared memory: the names of that can be guessed, those of the host's too.
    '(allow ipc-posix-sem (ipc-posix-name-prefix "/mp-"))',
    ...(network ? NETWORK_RULES : []),
  ]
  return { text: `${text.join('\n')}\n`, parameters }
}

const SYSTEM_FOLLOWED = seen([
  ...LINKS,
  ...above([...LINKS, ...PROGRAMS, ...SETTINGS, ...DEVICES, ...NETWORK_SETTINGS, RESOLVER]),
])

const NETWORK_RULES = [
  allow(READ, NETWORK_SETTINGS.map(quoted).flatMap(place)),
  allow(['network-outbound'], ['(remote ip "*:*")']),
  allow(['network-outbound'], [`(remote unix-socket (path-literal ${quoted(RESOLVER)}))`]),
  allow(['network-bind', 'network-inbound'], ['(local ip "*:*")']),
  // What the resolver asks of the routing table.
  allow(['system-socket'], ['(require-all (socket-domain AF_SYSTEM) (socket-protocol 2))', '(socket-domain AF_ROUTE)']),
  allow(['sysctl-read'], ['net.routetable.'].map(factFamily)),
  allow(
    ['mach-lookup'],
    NETWORK_SERVICES.map((name) => `(global-name ${quoted(name)})`),
  ),
]

/** The folders above: whoever resolves a path asks what each of them is. */
function above(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const parts = path.split('/').slice(1, -1)
    return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
  })
}

function seen(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}

function allow(operations: readonly string[], filters: readonly string[]): string {
  return `(allow ${[...operations, ...filters].join(' ')})`
}

/** A folder with all that is in it, or a file. */
function place(path: string): string[] {
  return [literal(path), `(subpath ${path})`]
}

/** A file or a folder itself, and nothing in it. */
function literal(path: string): string {
  return `(literal ${path})`
}

function fact(name: string): string {
  return `(sysctl-name ${quoted(name)})`
}

function factFamily(prefix: string): string {
  return `(sysctl-name-prefix ${quoted(prefix)})`
}

function parameter(name: string): string {
  return `(param ${quoted(name)})`
}

/** For words of this package only, which hold neither quotes nor backslashes. */
function quoted(word: string): string {
  return `"${word}"`
}
