import { spawn } from 'node:child_process'
import { thisOwner } from '@codeact/sandbox'
import { describe, expect, it } from 'vitest'
import { OWNER_LABEL } from '../src/owner-labels.ts'
import { removeLeftovers, sweep } from '../src/reaper.ts'
import { containersLeft, engine, plan } from './containers.ts'
import { fakeDaemon, json } from './fake-daemon.ts'
import { docker } from './requirements.ts'

describe.skipIf(!docker.isMet || process.platform !== 'linux')(`leftovers ${docker.reason}`, () => {
  it('of a host that is dead are removed, running or not, and none of others', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await new Promise((resolve) => child.once('close', resolve))
    const dead = { ...(await thisOwner()), pid: child.pid }
    const make = async (owner: unknown) => {
      const create = await plan(['sleep', '600'])
      const Labels = { ...create.Labels, [OWNER_LABEL]: JSON.stringify(owner) }
      return (await engine()).createContainer({ ...create, Labels })
    }
    const [created, running, own, elsewhere, unreadable] = await Promise.all(
      [dead, dead, await thisOwner(), { ...dead, host: 'elsewhere' }, 'rubbish'].map(make),
    )
    await running?.start()
    try {
      const removed = await sweep(await engine())
      expect(removed).toEqual(expect.arrayContaining([created?.id, running?.id]))
      expect((await containersLeft()).sort()).toEqual([own?.id, elsewhere?.id, unreadable?.id].sort())
    } finally {
      for (const container of [own, elsewhere, unreadable]) await container?.remove({ force: true })
    }
    expect(await containersLeft()).toEqual([])
  })

  it('of a host that was killed between create and start are removed by the next', async () => {
    const code = `
      import { engine, plan } from './containers.ts'
      const container = await (await engine()).createContainer(await plan(['cat']))
      console.log(container.id)
      process.kill(process.pid, 'SIGKILL')`
    const args = ['--conditions=@codeact/source', '--import', 'tsx', '--input-type=module', '--eval', code]
    const host = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] })
    let id = ''
    host.stdout.on('data', (bytes: Buffer) => {
      id += bytes.toString()
    })
    await new Promise((resolve) => host.once('close', resolve))
    expect(await sweep(await engine())).toContain(id.trim())
  })
})

describe('a sweep', () => {
  it('happens once for each Docker', async () => {
    const [one, other] = await Promise.all([0, 1].map(() => fakeDaemon({ 'GET /containers/json': json([]) })))
    await Promise.all([one, one, other].map((daemon) => removeLeftovers(daemon!.docker)))
    await removeLeftovers(one!.docker)
    expect([one?.calls, other?.calls]).toEqual([['GET /containers/json'], ['GET /containers/json']])
  })

  it('that fails is no failure', async () => {
    const daemon = await fakeDaemon({ 'GET /containers/json': json({ message: 'out of order' }, 500) })
    expect(await removeLeftovers(daemon.docker)).toEqual([])
    daemon.die()
    expect(await sweep(daemon.docker)).toEqual([])
  })
})
