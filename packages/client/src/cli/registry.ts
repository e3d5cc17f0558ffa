import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { registryKinds } from '@benchwatch/contract/vocabulary'
import { parse as parseYaml } from 'yaml'
import type { CallAnswer, CallInput } from '../client.ts'
import { type Command, CommandError, harmless, UsageError } from './command.ts'

type Kind = (typeof registryKinds)[number]
type Sent = CallInput<'applyRegistry'>['body']['files'][number]
type Answer = CallAnswer<'applyRegistry'>
type Change = Answer['changes'][number]

interface RegistryFile extends Sent {
  name: string
  /** True if an error's line is the number of an object in the file. */
  isOfObjects: boolean
}

const readable = ['.csv', '.ndjson', '.json', '.yaml', '.yml']

export const applyFolder: Command = {
  usage: '<folder> [--dry-run] [--json]',
  about: `Registers the files of a folder, all or nothing, and prints what differed. Files: ${registryKinds.join(', ')} with ${readable.join(', ')}.`,
  options: { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ client, values, positionals, write, note, placeOf }) {
    const [folder, ...more] = positionals
    if (folder === undefined || more.length > 0) throw new UsageError('Name one folder.')
    const files = await readFolder(placeOf(folder))
    const dryRun = values['dry-run'] === true
    const answer = await client.call('applyRegistry', {
      query: { dryRun },
      body: { files: files.map(({ kind, format, text }) => ({ kind, format, text })) },
    })
    if (values.json) await write(`${JSON.stringify(answer)}\n`)
    else if (answer.errors.length === 0) await write(summaryOf(answer, dryRun))
    if (answer.errors.length === 0) return 0
    for (const error of answer.errors) note(sentenceOf(error, files))
    note('Nothing was registered. Correct the files and apply the folder again.')
    return 1
  },
}

/** Reads each file that is named after a kind. Throws CommandError if one cannot be used. */
async function readFolder(folder: string): Promise<RegistryFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      `${folder} cannot be read: ${error.code === 'ENOENT' ? 'there is no such folder' : error.message}.`,
    )
  })
  const files: RegistryFile[] = []
  for (const name of names.toSorted()) {
    const extension = extname(name)
    if (!readable.includes(extension)) continue
    const stem = name.slice(0, -extension.length)
    const kind = registryKinds.find((known) => known === stem)
    if (!kind) throw new CommandError(`${name} is not named after a kind. Use ${registryKinds.join(', ')}.`)
    const other = files.find((file) => file.kind === kind)
    if (other)
      throw new CommandError(`${other.name} and ${name} are of the same kind. Put their objects into one file.`)
    files.push(await readRegistryFile(join(folder, name), { name, kind, extension }))
  }
  if (files.length === 0) throw new CommandError(`${folder} has no file such as customers.csv.`)
  return files
}

async function readRegistryFile(
  place: string,
  { name, kind, extension }: { name: string; kind: Kind; extension: string },
): Promise<RegistryFile> {
  const text = (await readFile(place, 'utf8')).replace(/^\uFEFF/, '')
  if (extension === '.csv') return { name, kind, format: 'csv', text, isOfObjects: false }
  if (extension === '.ndjson') return { name, kind, format: 'ndjson', text, isOfObjects: false }
  const objects = parseObjects(text, { name, extension })
  const lines = objects.map((object) => JSON.stringify(object))
  return { name, kind, format: 'ndjson', text: lines.join('\n'), isOfObjects: true }
}

function parseObjects(text: string, { name, extension }: { name: string; extension: string }): unknown[] {
  let content: unknown
  try {
    content = extension === '.json' ? JSON.parse(text) : parseYaml(text)
  } catch (error) {
    throw new CommandError(`${name} cannot be read: ${(error as Error).message}`)
  }
  if (!Array.isArray(content)) throw new CommandError(`${name} must be a list of objects, each with its key.`)
  return content
}

function sentenceOf({ kind, line, path, message }: Answer['errors'][number], files: readonly RegistryFile[]): string {
  const file = files.find((one) => one.kind === kind)
  const place = file?.isOfObjects ? `${file.name}, object ${line}` : `${file?.name ?? kind}:${line}`
  return `${place}: ${path === '' ? 'The line' : path} ${message}`
}

function summaryOf({ created, updated, changes }: Answer, dryRun: boolean): string {
  const total = created + updated
  if (total === 0) return 'Nothing to change.\n'
  const rest = total > changes.length ? [`… and ${total - changes.length} more objects.`] : []
  const counts = dryRun
    ? `Would create ${created} and update ${updated} objects. Nothing was written.`
    : `Created ${created} and updated ${updated} objects.`
  return `${[...changes.flatMap(linesOf), ...rest, counts].join('\n')}\n`
}

function linesOf({ kind, key, isNew, properties }: Change): string[] {
  return [
    `${isNew ? '+' : '~'} ${kind}/${key}`,
    ...properties.map(({ property, before, after }) =>
      harmless(isNew ? `    ${property}: ${after}` : `    ${property}: ${before ?? '(none)'} → ${after ?? '(none)'}`),
    ),
  ]
}
