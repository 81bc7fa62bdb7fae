import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { thisOwner } from '@codeact/sandbox'
import type { Executor } from '@codeact/spec'
import { Sandbox } from '@e2b/code-interpreter'
import { afterEach, describe, expect, it } from 'vitest'
import { type E2bOptions, e2b } from '../src/index.ts'
import { OWNER, ownerMetadata } from '../src/owner-metadata.ts'
import { sweep } from '../src/reaper.ts'
import { emulator, isCloud, slow } from './target.ts'

const { faults, connection, requests, sandboxes, goOffline, goOnline } =
  isCloud || !slow.isMet ? ({} as never) : await emulator()
const executors: Executor[] = []

function executor(more: E2bOptions = {}): Executor {
  const made = e2b({ ...connection, ...more })
  executors.push(made)
  return made
}

const only = () => [...sandboxes.values()][0]!
const text = 'text/plain'

afterEach(async () => {
  goOnline?.()
  faults?.clear()
  await Promise.all(executors.splice(0).map((one) => one.close()))
  expect([...(sandboxes?.keys() ?? [])]).toEqual([])
})

describe.skipIf(isCloud || !slow.isMet)(`a sandbox in the cloud ${slow.reason}`, () => {
  it('is made without a network, with a time to live and the name of its owner', async () => {
    await executor().open()
    await executor({ network: 'full', idleMs: 60_000, template: 'base' }).open()
    await executor({ network: { allow: ['pypi.org', '10.0.0.0/8'] } }).open()
    const [none, full, some] = [...sandboxes.values()].map(({ settings }) => settings)
    expect(none).toMatchObject({ templateID: 'code-interpreter-v1', timeout: 300, allow_internet_access: false })
    expect(none?.metadata).toEqual(await ownerMetadata())
    expect(full).toMatchObject({ templateID: 'base', timeout: 60, allow_internet_access: true })
    expect(some?.network).toEqual({ allowOut: ['pypi.org', '10.0.0.0/8'], denyOut: ['0.0.0.0/0'] })
  })

  it('gets more time while it is used, and none when it is not', async () => {
    const sandbox = await executor({ idleMs: 5000 }).open()
    const { id } = only()
    await sandbox.execute('import time\ntime.sleep(3.5)')
    const extended = requests.filter(({ route, path }) => route === 'POST /sandboxes/:id/timeout' && path.includes(id))
    expect(extended.length).toBeGreaterThan(0)
    expect(extended[0]?.body).toEqual({ timeout: 5 })
  })

  it('that ends in the middle of a cell: the cell says that it ran, the next one runs in a new one', async () => {
    const sandbox = await executor().open()
    const cell = sandbox.execute('print("before")\nimport time\ntime.sleep(30)')
    for await (const event of cell) if (event.type === 'stdout-delta' && event.text.endsWith('\n')) break
    await only().expire()
    const { status, state, stdout, error } = await cell
    expect({ status, state, stdout }).toEqual({ status: 'crashed', state: 'lost', stdout: 'before\n' })
    expect(error?.message).toMatch(/the sandbox is gone.*the cell ran, and some of its output may be lost/)
    expect((await sandbox.execute('1 + 1')).value?.[text]).toBe('2')
  })

  it('that has ended before a cell: the cell never ran, and says so', async () => {
    const sandbox = await executor().open()
    await only().kill()
    const { status, error } = await sandbox.execute('open("/tmp/ran", "w")')
    expect(status).toBe('crashed')
    expect(error?.message).toMatch(/the sandbox is gone.*(the cell never ran|whether the cell ran is not known)$/)
    expect((await sandbox.execute('import os\nos.path.exists("/tmp/ran")')).value?.[text]).toBe('False')
  })

  it('is told from a network that is gone', { timeout: 60_000 }, async () => {
    const sandbox = await executor().open()
    const cell = sandbox.execute('print("on")\nimport time\ntime.sleep(300)', { timeoutMs: 300_000 })
    for await (const event of cell) if (event.type === 'stdout-delta' && event.text.endsWith('\n')) break
    goOffline()
    expect((await cell).error?.message).toMatch(/the network is gone.*the cell ran/)
    goOnline()
  })

  it('survives a network that is gone for a while', async () => {
    const sandbox = await executor().open()
    const cell = sandbox.execute('import time\nfor n in range(10):\n    print(n)\n    time.sleep(0.1)')
    for await (const event of cell) if (event.type === 'stdout-delta' && event.text.endsWith('\n')) break
    goOffline()
    setTimeout(goOnline, 500)
    expect(await cell).toMatchObject({ status: 'ok', stdout: '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n' })
  })

  it('that is there already is used, beside others, and left behind as it was', async () => {
    const own = await Sandbox.create('base', connection)
    const { sandboxId } = own
    const [one, other] = await Promise.all([executor({ sandboxId }).open(), executor({ sandboxId }).open()])
    await Promise.all([one.execute('x = 1'), other.execute('x = 2')])
    const child = 'import subprocess\nchild = subprocess.Popen(["sleep", "1000"], start_new_session=True)\nx'
    expect((await one.execute(child)).value?.[text]).toBe('1')
    await other.execute(child.replace('1000', '2000'))
    expect(await one.execute('x = 0\nimport os\nos._exit(1)')).toMatchObject({ state: 'rolled-back' })
    expect((await one.execute('x')).value?.[text]).toBe('1')
    expect((await other.execute('x, child.poll()')).value?.[text]).toBe('(2, None)')
    await one.close()
    expect((await other.execute('x')).value?.[text]).toBe('2')
    await other.close()
    // Whatever was ours: children, kernels, copies, supervisors.
    const ours = 'ps -eo args | grep -c -e "[s]leep .000" -e "[l]ink /tmp/codeact-" ; ls -d /tmp/codeact-* ; true'
    const left = async () => (await own.commands.run(ours)).stdout
    await expect.poll(left).toBe('0\n')
    expect(await own.kill()).toBe(true)
  })
})

describe.skipIf(isCloud || !slow.isMet || process.platform !== 'linux')(
  `what a host leaves behind ${slow.reason}`,
  () => {
    it('is ended by the next, where its owner is certainly gone, and it is not at rest', async () => {
      const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
      await once(child, 'close')
      const own = await ownerMetadata()
      const dead = { ...own, [OWNER]: JSON.stringify({ ...(await thisOwner()), pid: child.pid }) }
      const make = (metadata: Record<string, string>) => Sandbox.create('base', { ...connection, metadata })
      const [forsaken, ours, others, atRest, resumed] = await Promise.all([dead, own, {}, dead, dead].map(make))
      await atRest?.pause()
      await resumed?.files.write('/tmp/.codeact-owner', JSON.stringify(await thisOwner()))
      expect(await sweep(connection)).toEqual([forsaken?.sandboxId])
      for (const one of [ours, others, atRest, resumed]) expect(await one?.kill()).toBe(true)
    })

    it.each([
      ['ends by itself', ''],
      ['exits', 'process.exit(0)'],
      ['fails', 'throw new Error("of the host")'],
    ])('is ended when the host %s', async (_how, end) => {
      const code = `
      import { e2b } from './src/index.ts'
      const sandbox = await e2b(${JSON.stringify(connection)}).open()
      console.log((await sandbox.execute('1 + 1')).value['text/plain'])
      ${end === '' ? 'await sandbox.close()' : end}`
      const args = ['--conditions=@codeact/source', '--import', 'tsx', '--input-type=module', '--eval', code]
      const host = spawn(process.execPath, args, {
        cwd: `${import.meta.dirname}/..`,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      let said = ''
      host.stdout.on('data', (bytes: Buffer) => {
        said += bytes.toString()
      })
      await once(host, 'close')
      expect(said).toBe('2\n')
      await expect.poll(() => sandboxes.size, { timeout: 10_000 }).toBe(0)
    })
  },
)
