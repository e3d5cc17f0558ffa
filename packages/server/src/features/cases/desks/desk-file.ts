import { readFile } from 'node:fs/promises'
import { isCaseUrl } from '@benchwatch/contract/field-rules'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import { OperatorError } from '../../../db/connect.ts'
import type { CaseDesk } from '../case-desk.ts'
import { fillIn, template } from './case-fields.ts'
import { restDesk } from './rest-desk.ts'
import { salesforceDesk } from './salesforce-desk.ts'
import { serviceNowDesk } from './servicenow-desk.ts'

const thisMachine = ['127.0.0.1', 'localhost', '[::1]']
/** Carries a secret, so plain HTTP is allowed only within this machine. */
const deskUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => {
    const { protocol, hostname } = new URL(text)
    return protocol === 'https:' || thisMachine.includes(hostname)
  }, 'must begin with https, unless it leads to this machine')
  .transform((text) => text.replace(/\/+$/, ''))
const filePath = z.string().min(1)
const path = z.string().startsWith('/', 'must begin with a slash')

const shared = {
  name: z.string().trim().min(1).max(40),
  url: deskUrl,
  prefix: z
    .string()
    .regex(/^[\w.-]{0,40}$/, 'must consist of letters, digits, dots, hyphens and underscores')
    .default(''),
}
const fields = z.record(z.string(), template()).default({})
const caseUrl = template(['id', 'number']).optional()

/** Texts of a body at any depth; everything else is sent as it is. */
const body: z.ZodType<Record<string, unknown>> = z.record(
  z.string(),
  z.lazy(() => z.union([template(), z.number(), z.boolean(), z.null(), z.array(z.unknown()), body])),
)

/** The file of the case desk, docs/cases.md. */
const deskFile = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('servicenow'),
    ...shared,
    user: z.string().min(1),
    passwordFile: filePath,
    table: z.string().regex(/^\w+$/, 'must be the name of a table').default('incident'),
    fields,
    caseUrl,
  }),
  z.strictObject({
    kind: z.literal('salesforce'),
    ...shared,
    clientId: z.string().min(1),
    clientSecretFile: filePath,
    version: z
      .string()
      .regex(/^v\d+\.\d$/, 'must look like v62.0')
      .default('v62.0'),
    eventField: z.string().regex(/^\w+$/, 'must be the name of a field, such as Benchwatch_Event__c'),
    fields,
    caseUrl,
  }),
  z.strictObject({
    kind: z.literal('rest'),
    ...shared,
    secretFile: filePath.optional(),
    headers: z.record(z.string(), template(['secret'])).default({}),
    find: z.strictObject({
      path: path
        .pipe(template(['correlationId']))
        .refine((text) => text.includes('{correlationId}'), 'must contain {correlationId}'),
      list: z.string().default(''),
    }),
    create: z.strictObject({ path: path.pipe(template()), body, answer: z.string().default('') }),
    case: z.strictObject({ number: z.string(), correlationId: z.string(), url: z.string().optional() }),
    caseUrl: template(['number']).optional(),
  }),
])

/** Returns the desk of CASE_DESK_FILE; null if none is configured. Throws OperatorError with every fault of the file. */
export async function createCaseDesk(
  config: Pick<Config, 'caseDeskFile' | 'caseUrlHosts' | 'product'>,
): Promise<CaseDesk | null> {
  const { caseDeskFile: file } = config
  if (file === null) return null
  // Loaded only with a file, because it takes 5 MB.
  const { parseDocument } = await import('yaml')
  const document = parseDocument(await textOf(file), { prettyErrors: true })
  const [broken] = [...document.errors, ...document.warnings]
  if (broken) throw new OperatorError(`${file}: ${broken.message}`)
  const parsed = deskFile.safeParse(document.toJS({ maxAliasCount: 100 }))
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || 'The file'}: ${issue.message}`)
    throw new OperatorError(`${file} can’t be used:\n${faults.join('\n')}\nSee docs/cases.md.`)
  }
  return checked(await deskOf(parsed.data, config), config)

  function checked({ desk, example }: Made, { caseUrlHosts }: Pick<Config, 'caseUrlHosts'>): CaseDesk {
    if (example === null || isCaseUrl(example, caseUrlHosts)) return desk
    throw new OperatorError(
      `${file}: cases would have addresses such as ${example}, which CASE_URL_HOSTS does not allow. Add the host there, or set caseUrl.`,
    )
  }
}

interface Made {
  desk: CaseDesk
  /** An address of a case as the desk would have it; null if only its answers contain it. */
  example: string | null
}

async function deskOf(settings: z.output<typeof deskFile>, { product }: Pick<Config, 'product'>): Promise<Made> {
  const exampleOf = (text: string) => fillIn(text, { id: '1', number: '1' })
  switch (settings.kind) {
    case 'servicenow': {
      const record = `${settings.table}.do?sys_id=`
      const address = settings.caseUrl ?? `${settings.url}/nav_to.do?uri=${encodeURIComponent(record)}{id}`
      const password = await secretOf(settings.passwordFile)
      return {
        desk: serviceNowDesk({ ...settings, password, product, caseUrl: address }),
        example: exampleOf(address),
      }
    }
    case 'salesforce': {
      const address = settings.caseUrl ?? `${settings.url}/lightning/r/Case/{id}/view`
      const clientSecret = await secretOf(settings.clientSecretFile)
      return { desk: salesforceDesk({ ...settings, clientSecret, caseUrl: address }), example: exampleOf(address) }
    }
    case 'rest': {
      const secret = settings.secretFile === undefined ? '' : await secretOf(settings.secretFile)
      const headers = Object.fromEntries(
        Object.entries(settings.headers).map(([name, text]) => [name, fillIn(text, { secret })]),
      )
      const { caseUrl: address = null } = settings
      return {
        desk: restDesk({ ...settings, headers, caseUrl: address }),
        example: address === null ? null : exampleOf(address),
      }
    }
  }
}

async function secretOf(file: string): Promise<string> {
  const secret = (await textOf(file)).trim()
  if (secret === '') throw new OperatorError(`The file ${file} is empty. Write the password or token into it.`)
  return secret
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new OperatorError(`The case desk needs a file that can’t be read: ${error.message}`)
  })
}
