import { describeContract } from '../features/system/api-description.ts'
import { readRelease } from '../platform/release.ts'

/** Prints what `GET /api/openapi.json` answers, without a database: for programs that are made from it, as the help site is. */
const description = await describeContract({ product: 'Benchwatch', version: await readRelease() })
process.stdout.write(`${JSON.stringify(description)}\n`)
