import { join } from 'node:path'
import { type Answer, modelServer, streamed } from '@codeact/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, runCli } from './cli.ts'
import { code, reply, saw, task, writeRecording } from './recording-file.ts'
import { bubblewrap } from './requirements.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const executor = bubblewrap.isMet ? 'local' : 'wasm'
const here = { cwd: folder }

describe('codeact "task" without a model', () => {
  test('and without a key says how to get one, and exits with 2', async () => {
    const end = await runCli(['Find the meaning of life.'], here)
    expect(end.code).toBe(2)
    expect(end.stdout).toBe('')
    expect(end.stderr).toContain('export OPENAI_API_KEY=')
    expect(end.stderr).toContain('--base-url http://localhost:11434/v1')
    expect(end.stderr).toContain('codeact tasks')
  })

  test('plays a recorded task, with those that it goes on from, and says so', async () => {
    const end = await runCli(['take 5 plus 3,  and double it.', '--executor', executor], here)
    expect(end.code).toBe(0)
    expect(end.stdout).toContain('this task was recorded (from-scratch)')
    expect(end.stdout).toContain('which are played first')
    expect(end.stdout).toContain('✓ 55')
    expect(end.stdout).toContain('✓ 16')
    expect(end.stdout).not.toContain('Fibonacci')
  })

  test('with a key says whom it asks', async () => {
    // The first request goes nowhere: what is said before it is what counts.
    const env = { OPENAI_API_KEY: 'sk-none', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
    const end = await runCli(['Find the meaning of life.'], { ...here, env })
    expect(end.code).toBe(1)
    expect(end.stdout).toContain('No model was named, and OPENAI_API_KEY is set: openai:gpt-5 speaks.')
    expect(end.stdout + end.stderr).not.toContain('sk-none')
  })
})

describe('codeact "task" --model replay:FILE', () => {
  const file = writeRecording(
    join(folder, 'double.jsonl'),
    task('Double 21.'),
    code('21 * 2'),
    saw('42'),
    reply('It is 42.'),
  )
  const flags = ['Double 21.', '--model', 'replay:double.jsonl', '--executor', executor]

  test('plays it, and its code runs', async () => {
    const end = await runCli(flags, here)
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(end.stdout).toBe('  › Double 21.\n\n  │ 21 * 2\n\n  = 42\n\n  It is 42.\n\n  2 steps\n')
  })

  test('--json prints the events, and nothing else', async () => {
    const end = await runCli([...flags, '--json'], here)
    expect(end.code).toBe(0)
    const events = eventsOf(end)
    expect(events[0]).toMatchObject({ type: 'run-start', task: 'Double 21.', model: 'replay:double.jsonl', executor })
    expect(events.at(-1)).toMatchObject({ type: 'run-end', stop: 'answer', answer: 'It is 42.' })
  })

  test('what it prints with --json is a recording', async () => {
    const { stdout } = await runCli([...flags, '--json'], here)
    writeRecording(
      join(folder, 'again.jsonl'),
      ...stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    const end = await runCli(['Double 21.', '--model', 'replay:again.jsonl', '--executor', executor], here)
    expect(end.code).toBe(0)
  })

  test('by environment; a flag wins', async () => {
    const env = { CODEACT_MODEL: `replay:${file}`, CODEACT_EXECUTOR: 'none-such' }
    expect((await runCli(['Double 21.'], { ...here, env })).stderr).toContain('CODEACT_EXECUTOR')
    expect((await runCli(['Double 21.', '--executor', executor], { ...here, env })).code).toBe(0)
  })

  test('of another task: message and hint, without a stack', async () => {
    const end = await runCli(['Double 22.', ...flags.slice(1)], here)
    expect(end.code).toBe(1)
    expect(end.stderr).toContain('codeact: The recording double.jsonl is of another task.')
    expect(end.stderr).not.toContain('    at ')
  })

  test('with too few steps: no answer, and exit code 1', async () => {
    const end = await runCli([...flags, '--max-steps', '1'], here)
    expect(end.code).toBe(1)
    expect(end.stdout).toContain('no answer: --max-steps allows more turns  1 step\n')
  })

  test('with a log, it goes on from there', async () => {
    const model = ['--model', 'replay:longer.jsonl', '--executor', executor]
    const told =
      '[block 1]\n42\n[block 2]\nThe session goes on in a new sandbox, in which your code of before was run again. What code did that was stopped is not there, nor are the files below .codeact/ of before.'
    writeRecording(join(folder, 'longer.jsonl'), task('Double 21.'), code('x = 42\nx'), saw(told), reply('Still 42.'))
    const first = await runCli(['Double 21.', ...model, '--max-steps', '1', '--log', 'going-on.jsonl'], here)
    expect(first).toMatchObject({ code: 1, stderr: '' })
    const second = await runCli(['resume', 'going-on.jsonl', '--rebuild', ...model], here)
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(second.stdout).toContain('Still 42.')
    const third = await runCli(['resume', 'going-on.jsonl', ...model], here)
    expect(third.code).not.toBe(0)
    expect(third.stderr).toContain('The last task has its answer.')
  })

  test('with another parser than that of the recording: the code is text', async () => {
    const end = await runCli([...flags, '--parser', 'fenced'], here)
    expect(end.code).toBe(0)
    expect(end.stdout).toContain('<execute>')
  })
})

describe('codeact "task" with a model server', () => {
  test('--base-url reaches it, without a key', async () => {
    const replies = ['Let me see.\n\n<execute>\n6 * 7\n</execute>', 'It is **42**.']
    await using server = await modelServer(...replies.map(streamedChunks))
    const flags = ['--model', 'openai:tiny', '--base-url', server.baseURL, '--executor', executor]
    const end = await runCli(['What is 6 times 7?', ...flags], here)
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(end.stdout).toContain('  │ 6 * 7\n\n  = 42\n\n  It is **42**.\n\n  2 steps, 24 tokens\n')
    const bodies = server.received.map(({ body }) => body as { model: string; messages: object[] })
    expect(bodies.map(({ model }) => model)).toEqual(['tiny', 'tiny'])
    expect(bodies[1]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'What is 6 times 7?' },
      { role: 'assistant', content: replies[0] },
      { role: 'user', content: '42' },
    ])
  })

  function streamedChunks(text: string): Answer {
    const pieces = text.match(/[\s\S]{1,7}/g) ?? []
    return streamed([...pieces.map(contentChunk), endChunk, '[DONE]'])
  }

  function contentChunk(content: string): object {
    return { id: '1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] }
  }

  const endChunk = {
    id: '1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
  }
})
