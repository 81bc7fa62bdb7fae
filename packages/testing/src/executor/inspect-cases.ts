import { expect } from 'vitest'
import { evaluate, type Subject } from './subject.ts'
import { bareTool } from './tools.ts'

export function inspectCases(subject: Subject): void {
  subject.promise('state', (it) => {
    it('can be listed: what the code defined, and nothing else', async (sandbox) => {
      await sandbox.execute('import os\nx = 1\nrows = [1, 2, 3]\nname = "Ada"\ndef f(): pass\n_hidden = 2')
      const variables = await sandbox.inspect?.()
      expect(variables).toMatchObject([
        { name: 'x', type: 'int' },
        { name: 'rows', type: 'list', shape: '(3,)' },
        { name: 'name', type: 'str', shape: '(3,)' },
      ])
      for (const { size } of variables ?? []) expect(size).toBeGreaterThan(0)
    })

    it('is listed between two cells, without running code of theirs', async (sandbox) => {
      const first = sandbox.execute('import time\ntime.sleep(0.2)\nlate = 1')
      const listed = sandbox.inspect?.()
      await first
      expect(await listed).toMatchObject([{ name: 'late' }])
      await sandbox.execute(
        'class Trap:\n    def __getattribute__(self, name):\n        raise SystemExit\ntrap = Trap()',
      )
      expect((await sandbox.inspect?.())?.map(({ type }) => type)).toContain('Trap')
    })

    it('is listed whatever the code says of names and sizes', async (sandbox) => {
      const traps = [
        'asked = []',
        'class Named(type):',
        '    @property',
        '    def __name__(self): asked.append("name"); raise SystemExit',
        'class Trap(metaclass=Named):',
        '    def __sizeof__(self): asked.append("size"); return 1',
        'trap = Trap()',
      ]
      await sandbox.execute(traps.join('\n'))
      const variables = await sandbox.inspect?.()
      expect(variables?.find(({ name }) => name === 'trap')).toEqual({ name: 'trap', type: 'Trap' })
      expect(await evaluate(sandbox, 'asked')).toBe('[]')
    })
  })

  subject.promise('tools', (it) => {
    it('answer input() where one is named ask_user', async () => {
      const ask = bareTool('ask_user', { question: { type: 'string' } }, ({ question }) => `You asked: ${question}`)
      const sandbox = await subject.open({}, { tools: [ask] })
      expect(await evaluate(sandbox, 'input("Which?")')).toBe("'You asked: Which?'")
    })

    it('are missed by input() with a clear error', async (sandbox) => {
      const { error } = await sandbox.execute('input("Which?")')
      expect(error).toMatchObject({ name: 'EOFError', message: expect.stringContaining('nobody to ask') })
    })
  })
}
