import { createSocket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect } from 'vitest'
import { type FaultCase, lines } from '../faults/fault.ts'

const port = (server: { address(): unknown }): number => (server.address() as { port: number }).port

/** A server on every address of this machine; counts who comes. */
async function listen(): Promise<{ server: Server; came: () => number }> {
  let came = 0
  const server = createServer((socket) => {
    came += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return { server, came: () => came }
}

/** The network is off by default, in every form of it. */
export const NETWORK: readonly FaultCase[] = [
  {
    promise: 'isolation',
    title: 'no server of the host answers, on any of its addresses',
    async run(trial) {
      const { server, came } = await listen()
      try {
        const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
        const addresses = ['127.0.0.1', '::1', '0.0.0.0', 'localhost', 'host.docker.internal', ...own]
        const code = lines(
          'import socket',
          'reached = []',
          `for address in ${JSON.stringify(addresses)}:`,
          `    try: socket.create_connection((address, ${port(server)}), 0.5); reached.append(address)`,
          '    except OSError: pass',
          'reached',
        )
        expect(await trial.evaluate(code)).toBe('[]')
        expect(came()).toBe(0)
      } finally {
        server.close()
      }
    },
  },
  {
    promise: 'isolation',
    title: 'no datagram arrives',
    async run(trial) {
      let arrived = 0
      const socket = createSocket('udp4').on('message', () => {
        arrived += 1
      })
      await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
      try {
        const code = `import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"out", ("127.0.0.1", ${port(socket)}))`
        await trial.execute(code)
        await new Promise((resolve) => setTimeout(resolve, 200))
        expect(arrived).toBe(0)
      } finally {
        socket.close()
      }
    },
  },
  {
    promise: 'isolation',
    title: 'a socket without a file, of the host, is not there',
    async run(trial) {
      let came = 0
      const name = `\0codeact-test-${process.pid}`
      const server = createServer(() => {
        came += 1
      })
      await new Promise<void>((resolve) => server.listen(name, resolve))
      try {
        const code = `import socket\nsocket.socket(socket.AF_UNIX).connect("\\0codeact-test-${process.pid}")`
        expect(await trial.execute(code)).toMatchObject({ status: 'error', error: { name: 'ConnectionRefusedError' } })
        expect(came).toBe(0)
      } finally {
        server.close()
      }
    },
  },
  {
    promise: 'isolation',
    title: 'names are not resolved, and no packet has a way out',
    async run(trial) {
      const code = lines(
        'import socket',
        'out = []',
        'def attempt(what, call):',
        '    try: call(); out.append(what)',
        '    except OSError: pass',
        'def udp(family, address): return lambda: socket.socket(family, socket.SOCK_DGRAM).connect(address)',
        // Addresses that are nobody's, and the one at which clouds tell secrets.
        'attempt("name", lambda: socket.getaddrinfo("secret.example.com", 80))',
        'attempt("ipv4", udp(socket.AF_INET, ("192.0.2.1", 53)))',
        'attempt("ipv6", udp(socket.AF_INET6, ("2001:db8::1", 53)))',
        'attempt("metadata", udp(socket.AF_INET, ("169.254.169.254", 80)))',
        'attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))',
        'attempt("packet", lambda: socket.socket(17, socket.SOCK_RAW, 0x0300))',
        'out',
      )
      expect(await trial.evaluate(code)).toBe('[]')
    },
  },
]
