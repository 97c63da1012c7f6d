#!/usr/bin/env node
import { runCommand } from './cli/main.ts'

process.exitCode = await runCommand(process.argv.slice(2))
