#!/usr/bin/env node
import { run } from './run.ts'

const { stdin, stdout, stderr, env } = process

// The reader of a pipe may close it early: `exchequer entries list 42 | head -3`.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
process.exitCode = await run(process.argv.slice(2), { stdin, stdout, stderr, env })
