import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { requirement } from '@codeact/testing'
import { describe, expect, it } from 'vitest'
import { processTable, tableOfPs } from '../src/process-table.ts'

const ps = await requirement('ps', async () => {
  if (!existsSync('/bin/ps')) throw new Error('there is no /bin/ps')
})

describe('the table of processes', () => {
  it('holds this process and its children, each with its parent', () =>
    withChild((child) => {
      expect(processTable().get(child)).toBe(process.pid)
      expect(processTable().get(process.pid)).toBe(process.ppid)
    }))

  it.skipIf(!ps.isMet)(`is the same from ps, for systems without /proc ${ps.reason}`, () =>
    withChild((child) => {
      expect(tableOfPs().get(child)).toBe(process.pid)
      expect(tableOfPs().get(process.pid)).toBe(process.ppid)
    }),
  )

  it('is empty where there is no ps either', () => {
    expect(tableOfPs('/no/such/ps').size).toBe(0)
  })
})

async function withChild(look: (pid: number) => void): Promise<void> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  try {
    look(child.pid as number)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}
