import { describe, expect, test } from 'vitest'
import { readCommandLine } from '../src/command-line.ts'

describe('what is typed', () => {
  test.each([
    [[], { command: 'help', words: [] }],
    [['tasks'], { command: 'tasks', words: [] }],
    [['tasks', 'sales', 'laptops', '--json'], { command: 'tasks', words: ['sales', 'laptops'], flags: { json: true } }],
    [['Add 1.', '--approve'], { command: 'task', words: ['Add 1.'], flags: { approve: true, json: false } }],
    [['chat', '--max-steps', '3'], { command: 'chat', words: [], flags: { 'max-steps': 3, json: false } }],
    [['Add 1 and 2.'], { command: 'task', words: ['Add 1 and 2.'] }],
    [['Add 1 and 2.', '--model=openai:m'], { command: 'task', flags: { model: 'openai:m' } }],
    [['--model', 'openai:m', 'Add 1 and 2.'], { command: 'task', words: ['Add 1 and 2.'] }],
    [['--json', 'Add 1 and 2.'], { command: 'task', words: ['Add 1 and 2.'], flags: { json: true } }],
    [['计算一加二'], { command: 'task', words: ['计算一加二'] }],
    [['--', '--json is a flag?'], { command: 'task', words: ['--json is a flag?'] }],
    [['Add 1.', '--base-url=--odd'], { command: 'task', flags: { 'base-url': '--odd' } }],
    [['tasks', '--help'], { command: 'help', words: ['tasks'] }],
    [['Add 1.', '--log', 'a.jsonl'], { command: 'task', flags: { log: 'a.jsonl' } }],
    [['resume', 'a.jsonl', '--rebuild'], { command: 'resume', words: ['a.jsonl'], flags: { rebuild: true } }],
    [['Add 1 and 2.', '--version'], { command: 'version' }],
    [['--list-models', '--model', 'openai'], { command: 'models', words: [], flags: { model: 'openai' } }],
    [['--list-models', '--help'], { command: 'help' }],
  ])('%j', (args, line) => {
    expect(readCommandLine(args)).toMatchObject(line)
  })
})

describe('USAGE', () => {
  test.each([
    [['resume'], 'codeact resume takes one file'],
    [['Add 1.', '--rebuild'], '--rebuild belongs to codeact resume FILE.'],
    [['hello'], 'There is no command hello.'],
    [['chats'], 'There is no command chats.'],
    [['add', 'one', 'and', 'two'], 'A task is one argument.'],
    [['chat', '--approve'], 'codeact chat has no flag --approve'],
    [['chat', 'Add 1 and 2.'], 'codeact chat takes no task'],
    [['Add 1.', '--list-models'], 'codeact --list-models takes no task'],
    [['tasks', '--parser', 'xml'], 'codeact tasks has no flag --parser'],
    [['Add 1.', '--max-steps', '0'], '--max-steps must be a whole number of at least 1, not 0.'],
    [['Add 1.', '--max-steps', '1.5'], '--max-steps must be a whole number'],
    [['Add 1.', '--model'], '--model needs a value.'],
    [['Add 1.', '--model', '--json'], '--model needs a value.'],
    [['Add 1.', '--model='], '--model needs a value.'],
    [['Add 1.', '--json=yes'], '--json takes no value.'],
    [['Add 1.', '-m'], 'There is no flag -m.'],
  ])('%j', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => readCommandLine(args)).toThrow(message)
  })

  test.each([
    [['Add 1.', '--exector', 'wasm'], '--executor'],
    [['Add 1.', '--baseurl', 'x'], '--base-url'],
    [['caht'], 'chat'],
    [['add', 'one'], '"add one"'],
  ])('%j suggests %s', (args, hint) => {
    expect(() => readCommandLine(args)).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }))
  })
})
