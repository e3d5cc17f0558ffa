import { z } from 'zod'
import type { CaseDesk, DeskCase } from '../case-desk.ts'
import { askDesk } from './ask-desk.ts'
import { fillIn, fillInAll, valuesOf } from './case-fields.ts'

interface ServiceNow {
  name: string
  prefix: string
  /** `https://example.service-now.com`, without a slash at the end. */
  url: string
  user: string
  password: string
  table: string
  fields: Readonly<Record<string, string>>
  /** With the placeholders `{id}` and `{number}`. */
  caseUrl: string
  /** Named in `correlation_display`. */
  product: string
}

const record = z.object({ sys_id: z.string(), number: z.string().min(1), correlation_id: z.string() })
const urgency = { high: '1', medium: '2', low: '3' } as const

/** Creates records by the Table API of ServiceNow. */
export function serviceNowDesk(settings: ServiceNow): CaseDesk {
  const { name, prefix, url, user, password, table, fields, caseUrl, product } = settings
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  const addressOf = (query: Record<string, string>) =>
    `${url}/api/now/table/${table}?${new URLSearchParams({ sysparm_fields: 'sys_id,number,correlation_id', ...query }).toString()}`
  const caseOf = ({ sys_id: id, number, correlation_id }: z.output<typeof record>): DeskCase => ({
    number,
    url: fillIn(caseUrl, { id, number }, encodeURIComponent),
    correlationId: correlation_id || null,
  })
  return {
    name,
    prefix,
    async find(correlationId, stop) {
      const address = addressOf({
        sysparm_query: `correlation_id=${correlationId}^ORDERBYsys_created_on`,
        sysparm_limit: '1',
      })
      const { result } = await askDesk(z.object({ result: z.array(record) }), { desk: name, address, headers, stop })
      return result[0] ? caseOf(result[0]) : null
    },
    async create(draft, stop) {
      const values = valuesOf(draft)
      const body = {
        short_description: values['title']?.slice(0, 160),
        description: values['facts'],
        urgency: urgency[draft.event.severity],
        ...(fillInAll(fields, values) as object),
        correlation_id: draft.correlationId,
        correlation_display: product,
      }
      const request = { desk: name, address: addressOf({}), method: 'POST', headers, body, stop } as const
      return caseOf((await askDesk(z.object({ result: record }), request)).result)
    },
  }
}
