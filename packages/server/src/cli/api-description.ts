import { readFile } from 'node:fs/promises'
import { describeContract } from '../features/system/describe-contract.ts'

/** Prints what `GET /api/openapi.json` answers, without a database: for programs that are made from it, as the help site is. */
const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
process.stdout.write(`${JSON.stringify(await describeContract({ product: 'Benchwatch', version }))}\n`)
