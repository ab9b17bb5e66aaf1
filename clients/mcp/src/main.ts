#!/usr/bin/env node
import { ExchequerError } from '@exchequer/sdk'
import { serve } from './index.ts'
import { readSettings, SettingsError } from './settings.ts'
import { version } from './version.ts'

const help = `exchequer-mcp, a Model Context Protocol server for a realm of Exchequer, on stdin and stdout

  exchequer-mcp                  tools that read
  exchequer-mcp --allow-writes   also plan_change and apply_plan, if the key may change points

EXCHEQUER_URL, EXCHEQUER_REALM, and EXCHEQUER_KEY or EXCHEQUER_KEY_FILE are the settings.`

async function run(args: readonly string[]): Promise<void> {
  if (args.includes('--version')) console.log(version)
  else if (args.includes('--help') || args.includes('-h')) console.log(help)
  else await serve(readSettings(process.env, args))
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  // What the user can correct is shown without a stack. stdout is for the protocol only.
  const isKnown = error instanceof SettingsError || error instanceof ExchequerError
  console.error(isKnown ? error.message : error)
  process.exitCode = 1
}
