import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { EventFilter, ServiceEvent } from '@benchwatch/contract/events/events'
import { EVENT_ID } from '@benchwatch/contract/patterns'
import { alertStatusLabels, eventFilterCategories, personCloseReasons } from '@benchwatch/contract/vocabulary'
import { ApiError, type Client } from '../client.ts'
import { liveMessages } from '../live-messages.ts'
import { each } from '../paging.ts'
import { type Call, type Command, CommandError, harmless, textOf, UsageError, type Values } from './command.ts'

/** Commands about service events, on behalf of the user of the token. */

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const narrowing = {
  status: text,
  severity: text,
  keyword: text,
  since: text,
  until: text,
  filter: { type: 'string', multiple: true },
} as const
const NARROWING =
  '[--status new,in-progress,closed] [--severity high,medium,low] [--keyword words] [--since 24h|date] [--until date] [--filter category=value]'

const statuses: Readonly<Record<string, string>> = {
  new: '1_NEW',
  'in-progress': '2_IN_PROGRESS',
  closed: '3_CLOSED',
}

export const listEvents: Command = {
  usage: `${NARROWING} [--limit 20|all] [--json]`,
  about: 'Lists service events, the newest first; with --json one object a line, with all fields.',
  options: { ...narrowing, limit: text, json: flag },
  async run({ client, values, positionals, write, note }) {
    refuseMore(positionals, 0)
    const limit = limitOf(values)
    const events: ServiceEvent[] = []
    let count = 0
    let isCut = false
    for await (const { alarm } of each(client, 'listServiceEvents', searchOf(values))) {
      isCut = count === limit
      if (isCut) break
      if (values.json) await write(`${JSON.stringify(alarm)}\n`)
      else events.push(alarm)
      count += 1
    }
    if (!values.json) await write(tableOf(events))
    if (isCut) note(`There are more than these ${limit} events. To list all, add --limit all.`)
    return 0
  },
}

export const claimEvents: Command = {
  usage: '<event>… [--take-over] [--json]',
  about: 'Makes you the owner of events that have none; with --take-over also of those of a colleague.',
  options: { 'take-over': flag, json: flag },
  async run(call) {
    const me = await call.client.call('getMe')
    return forEachEvent(call, async (event) => {
      const isOthers = event.claimedBy !== null && event.claimedBy !== me.id
      if (isOthers && !call.values['take-over']) {
        throw new CommandError(`belongs to ${event.claimedByName}. Add --take-over to claim it all the same.`)
      }
      return change(call.client, event, { claimedBy: me.id })
    })
  },
}

export const closeEvents: Command = {
  usage: '<event>… --reason text [--comment text] [--case-number number] [--case-url address] [--json]',
  about: `Closes events. Reasons: ${personCloseReasons.join(', ')}.`,
  options: { reason: text, comment: text, 'case-number': text, 'case-url': text, json: flag },
  async run(call) {
    const { values } = call
    const wanted = textOf(values, 'reason')
    const reason = personCloseReasons.find((known) => known.toLowerCase() === wanted?.toLowerCase())
    if (!reason) throw new UsageError(`Give --reason one of: ${personCloseReasons.join(', ')}.`)
    const comment = textOf(values, 'comment')
    const caseNumber = textOf(values, 'case-number')
    const caseUrl = textOf(values, 'case-url')
    return forEachEvent(call, (event) =>
      change(call.client, event, {
        alertStatus: 'CLOSED',
        reasonClosed: reason,
        ...(comment !== undefined && { reasonClosedComment: comment }),
        ...(caseNumber !== undefined && { serviceMaxCaseNumber: caseNumber }),
        ...(caseUrl !== undefined && { serviceMaxUrl: caseUrl }),
      }),
    )
  },
}

export const exportEvents: Command = {
  usage: `${NARROWING} [--full] [--output file]`,
  about: 'Writes events as CSV to standard output or a file; with --full all fields.',
  options: { ...narrowing, full: flag, output: text },
  async run({ client, values, positionals, note, placeOf }) {
    refuseMore(positionals, 0)
    const { query, body } = searchOf(values)
    const started = await client.call('createExport', {
      query,
      body: { type: 'event', mode: 'exclude', ids: [], details: values.full ? 'FULL' : 'BASIC', filter: body.filter },
    })
    note(`${started.rows} events …`)
    const file = await finishedFile(client, started)
    const output = textOf(values, 'output')
    const content = Readable.fromWeb(file.body as ReadableStream<Uint8Array>)
    if (output === undefined) await pipeline(content, process.stdout, { end: false })
    else await writeWhole(placeOf(output), content)
    return 0
  },
}

export const watchEvents: Command = {
  usage: '[--after seq]',
  about: 'Prints each live message as a line of JSON until it is stopped, and reconnects automatically.',
  options: { after: text },
  async run({ client, values, positionals, write }) {
    refuseMore(positionals, 0)
    const after = textOf(values, 'after')
    if (after !== undefined && !/^\d{1,15}$/.test(after)) {
      throw new UsageError('Give --after the seq of the last message that you have.')
    }
    const messages = liveMessages(client, after === undefined ? {} : { after: Number(after) })
    for await (const message of messages) await write(`${JSON.stringify(message)}\n`)
    return 0
  },
}

/** Reads and changes events one by one; continues after a failure. */
async function forEachEvent(
  { client, positionals, values, write, note }: Call,
  act: (event: ServiceEvent) => Promise<ServiceEvent>,
): Promise<0 | 1> {
  if (positionals.length === 0) throw new UsageError('Name the events, such as ORC-1042.')
  const wrong = positionals.find((name) => !EVENT_ID.test(name))
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is not an event. Write ORC-1042 or 1042.`)
  let code: 0 | 1 = 0
  for (const name of positionals) {
    const number = `ORC-${name.replace(/^ORC-/i, '')}`
    try {
      const event = await act(await client.call('getServiceEventByEventId', { params: { eventId: name } }))
      const status = alertStatusLabels[event.alertStatus].toLowerCase()
      const owner = event.claimedByName ?? 'nobody'
      await write(values.json ? `${JSON.stringify(event)}\n` : `${number}: ${status}, owner ${owner}\n`)
    } catch (error) {
      const isOfEvent = error instanceof CommandError || (error instanceof ApiError && error.status >= 400)
      if (!isOfEvent || (error instanceof ApiError && error.status === 401)) throw error
      note(`${number}: ${error.message}`)
      code = 1
    }
  }
  return code
}

function change(client: Client, { id, version }: ServiceEvent, body: object): Promise<ServiceEvent> {
  return client.call('updateServiceEvent', { params: { id }, body, ifMatch: version })
}

/** Returns the response with the complete file. The server answers 503 while it is still being written. */
async function finishedFile(client: Client, { url, exportId }: { url: string; exportId: string }): Promise<Response> {
  const token = url.slice(url.lastIndexOf('/') + 1)
  let isReady = false
  for (;;) {
    try {
      return await client.callForResponse('downloadExport', { params: { token } })
    } catch (error) {
      // Ready and still refused: the store of the files is away.
      if (isReady || !(error instanceof ApiError && error.status === 503)) throw error
    }
    const { state } = await client.call('getExport', { params: { exportId } })
    isReady = state === 'ready'
    if (state === 'failed') throw new CommandError('The export failed on the server. Try again.')
  }
}

/** Writes beside the file first, so that an interrupted export leaves no incomplete file under its name. */
async function writeWhole(place: string, content: Readable): Promise<void> {
  const part = `${place}.part`
  try {
    await pipeline(content, createWriteStream(part))
    await rename(part, place)
  } catch (error) {
    await rm(part, { force: true })
    throw new CommandError(`${place} could not be written: ${(error as Error).message}.`)
  }
}

function searchOf(values: Values) {
  const since = instantOf(values, 'since')
  const until = instantOf(values, 'until')
  const keyword = textOf(values, 'keyword')
  return {
    query: {
      ...(keyword !== undefined && { keyword }),
      ...(since !== undefined && { start: since }),
      ...(until !== undefined && { stop: until }),
    },
    body: { filter: filterOf(values) },
  }
}

function filterOf(values: Values): EventFilter {
  const filter: Record<string, string[]> = {}
  const given = textOf(values, 'status')
  if (given !== undefined) {
    filter.alertStatus = given.split(',').map((word) => {
      const status = statuses[word.trim().toLowerCase()]
      if (!status) throw new UsageError(`"${word}" is not a status. Use ${Object.keys(statuses).join(', ')}.`)
      return status
    })
  }
  const severity = textOf(values, 'severity')
  if (severity !== undefined) filter.severity = severity.split(',').map((word) => word.trim())
  for (const entry of (values.filter ?? []) as string[]) {
    const [, category = '', isExcluding = '', value] = /^([A-Za-z]+)(!?)=(.+)$/.exec(entry) ?? []
    if (!eventFilterCategories.some(({ key }) => key === category)) {
      const known = eventFilterCategories.map(({ key }) => key).join(', ')
      throw new UsageError(
        `"${entry}" is not a filter. Write category=value, or category!=value to exclude it: ${known}.`,
      )
    }
    const key = `${category}${isExcluding}`
    filter[key] = [...(filter[key] ?? []), value ?? '']
  }
  return filter
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `24h`, `30m` and `7d` as so long ago, anything else as a date or an instant. */
function instantOf(values: Values, name: string): string | undefined {
  const given = textOf(values, name)
  if (given === undefined) return undefined
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(given) ?? []
  if (count !== undefined) return new Date(Date.now() - Number(count) * (unitMs[unit] ?? 0)).toISOString()
  if (!/^\d{4}-\d{2}-\d{2}/.test(given) || Number.isNaN(Date.parse(given))) {
    throw new UsageError(`--${name} is "${given}". Write 24h, 7d, 2026-11-20 or 2026-11-20T14:00:00Z.`)
  }
  return given
}

function limitOf(values: Values): number {
  const given = textOf(values, 'limit') ?? '20'
  if (given === 'all') return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError('Give --limit a whole number from 1, or all.')
  return Number(given)
}

function refuseMore(positionals: readonly string[], most: number): void {
  const more = positionals[most]
  if (more !== undefined) throw new UsageError(`"${more}" is one argument too many.`)
}

function tableOf(events: readonly ServiceEvent[]): string {
  if (events.length === 0) return 'No events match.\n'
  const rows = [
    ['EVENT', 'STATUS', 'SEVERITY', 'CREATED', 'INSTRUMENT', 'OWNER', 'DESCRIPTION'],
    ...events.map((event) => [
      `ORC-${event.eventId}`,
      alertStatusLabels[event.alertStatus],
      event.severity,
      event.createdAt,
      event.instrumentInstalledProductId,
      event.claimedByName ?? '',
      event.description,
    ]),
  ].map((row) => row.map(harmless))
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}
