import { parseArgs } from 'node:util'
import { templateIdOf } from '@benchwatch/contract/messages/template-ids'
import { ConfigurationError, typedFile } from '../config.ts'
import { readSourceFile, ruleWarnings } from '../source-file.ts'

/**
 * `npm run gateway:check -- file`: names every fault of a file of sources with its line, and ends with 1 if there is
 * one. Otherwise it prints the sources, the fields that their rules name and no message has, topics that overlap, and the
 * template ids that texts of the file become.
 */

try {
  const [file] = parseArgs({ allowPositionals: true }).positionals
  if (file === undefined) throw new ConfigurationError('Name the file: npm run gateway:check -- sources.yaml')
  for (const source of await readSourceFile(typedFile(file))) {
    const { name, kind, rules } = source
    process.stdout.write(`${name} (${kind}): ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}\n`)
    for (const warning of ruleWarnings(source)) process.stdout.write(`  ${warning}\n`)
    const named = rules.flatMap(({ raise }) => (raise && !raise.template.includes('{') ? [raise.template] : []))
    for (const template of new Set(named))
      if (templateIdOf(template) !== template)
        process.stdout.write(`  ${template} becomes the template id ${templateIdOf(template)}\n`)
  }
  process.stdout.write(`${file} can be used.\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
