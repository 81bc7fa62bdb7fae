#!/usr/bin/env node
import { type CommandLine, readCommandLine } from './command-line.ts'
import { chat } from './commands/chat.ts'
import { listServedModels } from './commands/list-models.ts'
import { playTasks } from './commands/play-tasks.ts'
import { resumeTask, runTask } from './commands/run-task.ts'
import { helpFor } from './help.ts'
import { reportError } from './report-error.ts'
import { listenForStop, type Stop } from './stop.ts'
import { version } from './version.ts'

/** The command: what was typed is read, one of its parts does it, and the exit code says how it went. */
async function main(args: readonly string[]): Promise<number> {
  const stop = listenForStop()
  try {
    const code = await follow(readCommandLine(args), stop)
    return stop.exitCode ?? code
  } catch (error) {
    return stop.exitCode ?? reportError(error)
  }
}

async function follow({ command, words, flags }: CommandLine, stop: Stop): Promise<number> {
  if (command === 'tasks') return playTasks(words, flags, stop)
  if (command === 'chat') return chat(flags, stop)
  if (command === 'models') return listServedModels(flags, stop)
  if (command === 'resume') return resumeTask(words[0] ?? '', flags, stop)
  if (command === 'task') return runTask(words[0] ?? '', flags, stop)
  process.stdout.write(`${command === 'version' ? version() : helpFor(words[0])}\n`)
  return 0
}

process.exitCode = await main(process.argv.slice(2))
