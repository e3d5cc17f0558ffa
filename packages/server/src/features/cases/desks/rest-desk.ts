import { z } from 'zod'
import { type CaseDesk, CaseDeskError, type DeskCase } from '../case-desk.ts'
import { askDesk } from './ask-desk.ts'
import { fillIn, fillInAll, valuesOf } from './case-fields.ts'

interface RestDesk {
  name: string
  prefix: string
  /** Without a slash at the end. */
  url: string
  headers: Readonly<Record<string, string>>
  /** `list`: the place of the list of cases in the answer. */
  find: { path: string; list: string }
  /** `answer`: the place of the case in the answer. */
  create: { path: string; body: Readonly<Record<string, unknown>>; answer: string }
  /** Places of these values in a case: names with dots between them. */
  case: { number: string; correlationId: string; url?: string | undefined }
  /** With the placeholder `{number}`; null if the case has its own address, or none. */
  caseUrl: string | null
}

/** Creates cases by any REST interface that the file of the desk describes. */
export function restDesk(settings: RestDesk): CaseDesk {
  const { name, prefix, url, headers, find, create, case: places, caseUrl } = settings
  const anything = z.unknown()

  function caseOf(answered: unknown): DeskCase {
    const number = textAt(answered, places.number)
    if (!number) {
      throw new CaseDeskError(`${name} named no case number. An administrator must check the case desk.`)
    }
    const own = places.url === undefined ? null : textAt(answered, places.url)
    return {
      number,
      url: caseUrl === null ? own : fillIn(caseUrl, { number }, encodeURIComponent),
      correlationId: textAt(answered, places.correlationId),
    }
  }

  return {
    name,
    prefix,
    async find(correlationId, stop) {
      const address = url + fillIn(find.path, { correlationId }, encodeURIComponent)
      const list = at(await askDesk(anything, { desk: name, address, headers, stop }), find.list)
      if (!Array.isArray(list)) {
        throw new CaseDeskError(`${name} answered no list of cases. An administrator must check the case desk.`)
      }
      return list.length === 0 ? null : caseOf(list[0])
    },
    async create(draft, stop) {
      const values = valuesOf(draft)
      const body = fillInAll(create.body, values) as object
      const address = url + fillIn(create.path, values, encodeURIComponent)
      const answer = await askDesk(anything, { desk: name, address, method: 'POST', headers, body, stop })
      return caseOf(at(answer, create.answer))
    },
  }
}

/** Returns the value at a place such as `data.0.number`; the empty place is the value itself. */
function at(value: unknown, place: string): unknown {
  const names = place === '' ? [] : place.split('.')
  return names.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  )
}

function textAt(value: unknown, place: string): string | null {
  const found = at(value, place)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null
}
