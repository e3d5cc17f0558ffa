import type { ParseArgsConfig } from 'node:util'
import type { Client } from '../client.ts'

/** Arguments that cannot be used; the message says what to write instead. */
export class UsageError extends Error {}

/** Something that the user can put right; printed as one sentence. */
export class CommandError extends Error {}

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export interface Call {
  client: Client
  values: Values
  positionals: readonly string[]
  /** Writes to standard output and waits while its reader is slower. */
  write: (text: string) => Promise<void>
  /** Writes a line to standard error. */
  note: (line: string) => void
  /** Resolves a path against the folder in which the command was typed. */
  placeOf: (path: string) => string
}

export interface Command {
  /** Arguments after the name of the command. */
  usage: string
  about: string
  options: NonNullable<ParseArgsConfig['options']>
  /** Returns the exit code. */
  run: (call: Call) => Promise<0 | 1>
}

/** Returns the text of an option, or undefined if it is absent. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Replaces control characters, which instruments can put into texts and a terminal obeys. */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
