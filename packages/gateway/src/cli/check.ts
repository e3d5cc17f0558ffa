import { readFile } from 'node:fs/promises'
import { templateIdOf } from '@benchwatch/contract/messages/template-ids'
import { readSources, ruleWarnings } from '../source-file.ts'

/**
 * `npm run gateway:check -- file`: names every fault of a file of sources with its line, and ends with 1 if there is
 * one. Otherwise it prints the sources, the fields that their rules name and no message has, topics that overlap, and the
 * template ids that texts of the file become.
 */

const path = process.argv[2]
if (path === undefined) {
  process.stderr.write('Name the file: npm run gateway:check -- sources.yaml\n')
  process.exitCode = 1
} else {
  try {
    check(path, await readFile(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    process.stderr.write(`${path} can't be read (${String(error.code)}).\n`)
    process.exitCode = 1
  }
}

function check(file: string, text: string): void {
  const read = readSources(text)
  if ('faults' in read) {
    for (const { line, message } of read.faults) process.stdout.write(`${file}:${line}: ${message}\n`)
    process.exitCode = 1
    return
  }
  for (const source of read.sources) {
    const { name, kind, rules } = source
    process.stdout.write(`${name} (${kind}): ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}\n`)
    for (const warning of ruleWarnings(source)) process.stdout.write(`  ${warning}\n`)
    const named = rules.flatMap(({ raise }) => (raise && !raise.template.includes('{') ? [raise.template] : []))
    for (const template of new Set(named))
      if (templateIdOf(template) !== template)
        process.stdout.write(`  ${template} becomes the template id ${templateIdOf(template)}\n`)
  }
  process.stdout.write(`${file} can be used.\n`)
}
