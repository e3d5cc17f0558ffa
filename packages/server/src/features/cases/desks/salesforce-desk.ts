import { z } from 'zod'
import { type CaseDesk, CaseDeskError } from '../case-desk.ts'
import { askDesk } from './ask-desk.ts'
import { fillIn, fillInAll, valuesOf } from './case-fields.ts'

interface Salesforce {
  name: string
  prefix: string
  /** `https://example.my.salesforce.com`, without a slash at the end. */
  url: string
  clientId: string
  clientSecret: string
  /** `v62.0` */
  version: string
  /** The field of a case that keeps the number of the event. */
  eventField: string
  fields: Readonly<Record<string, string>>
  /** With the placeholders `{id}` and `{number}`. */
  caseUrl: string
}

/** The names of the other fields are those of the file. */
const record = z.looseObject({ Id: z.string(), CaseNumber: z.string().min(1) })
const priority = { high: 'High', medium: 'Medium', low: 'Low' } as const

/** Creates cases by the REST API of Salesforce, signed in as an application (client credentials). */
export function salesforceDesk(settings: Salesforce): CaseDesk {
  const { name, prefix, url, clientId, clientSecret, version, eventField, fields, caseUrl } = settings
  const data = `${url}/services/data/${version}`

  /** Signs in for each request: cases are rare, and a kept token may be revoked at any time. */
  async function signIn(stop: AbortSignal) {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    })
    const address = `${url}/services/oauth2/token`
    const answer = z.object({ access_token: z.string() })
    const { access_token } = await askDesk(answer, { desk: name, address, method: 'POST', headers: {}, body, stop })
    return { authorization: `Bearer ${access_token}` }
  }

  async function find(correlationId: string, stop: AbortSignal) {
    // The correlation id has no character that SOQL reads as one of its own.
    const q = `SELECT Id, CaseNumber, ${eventField} FROM Case WHERE ${eventField} = '${correlationId}' ORDER BY CreatedDate LIMIT 1`
    const address = `${data}/query?${new URLSearchParams({ q }).toString()}`
    const answer = z.object({ records: z.array(record) })
    const { records } = await askDesk(answer, { desk: name, address, headers: await signIn(stop), stop })
    const [found] = records
    if (!found) return null
    const { Id: id, CaseNumber: number, [eventField]: kept } = found
    return {
      number,
      url: fillIn(caseUrl, { id, number }, encodeURIComponent),
      correlationId: typeof kept === 'string' ? kept : null,
    }
  }

  return {
    name,
    prefix,
    find,
    async create(draft, stop) {
      const values = valuesOf(draft)
      const body = {
        Subject: values['title']?.slice(0, 255),
        Description: values['facts'],
        Priority: priority[draft.event.severity],
        ...(fillInAll(fields, values) as object),
        [eventField]: draft.correlationId,
      }
      const address = `${data}/sobjects/Case`
      const headers = await signIn(stop)
      await askDesk(z.object({ success: z.literal(true) }), {
        desk: name,
        address,
        method: 'POST',
        headers,
        body,
        stop,
      })
      // The answer has an id but no number.
      const created = await find(draft.correlationId, stop)
      if (!created) throw new CaseDeskError(`${name} created the case but does not show it yet.`)
      return created
    },
  }
}
