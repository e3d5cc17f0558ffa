import type { Config } from '../../config.ts'

/** Stable for one message, so that a mail server or a reader can tell a repeat from a second mail. */
export function messageIdOf(id: number, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `<outbound.${id}@${new URL(publicUrl).hostname}>`
}

/** Of every mail, before those that its feature adds: no out-of-office notice comes back for it. */
export const automaticHeaders = { 'Auto-Submitted': 'auto-generated' }
