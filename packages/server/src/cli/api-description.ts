import { describeContract } from '../features/system/api-description.ts'
import { readRelease } from '../platform/release.ts'

/** Prints the answer of `GET /api/openapi.json` without a database, for generators such as the one of the help site. */
const description = await describeContract({ product: 'Benchwatch', version: await readRelease() })
process.stdout.write(`${JSON.stringify(description)}\n`)
