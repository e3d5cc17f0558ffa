import { TEMPLATE_ID } from '@benchwatch/contract/patterns'
import type { EventTemplateInput } from '@benchwatch/contract/registry'
import { type InstrumentType, instrumentTypes } from '@benchwatch/contract/vocabulary'
import type { Trx } from '../../db/connect.ts'
import { severityCodes } from '../../db/sql/severity.ts'
import { problem } from '../../platform/http/problem.ts'
import { Refusals } from './refusals.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { sanitiseHtml } from './sanitise-html.ts'
import { upsertRows } from './upsert.store.ts'

/** Registers or replaces event templates. All template HTML passes through here and is sanitised. */
export async function upsertEventTemplates(
  trx: Trx,
  writing: Writing,
  templates: readonly Keyed<EventTemplateInput>[],
): Promise<Upserted> {
  const refusals = new Refusals()
  const rows = refusals.rowsOf(templates, ({ key, input: given }) => {
    const names = readTemplateKey(key)
    if (!names) {
      throw problem(
        'validation-failed',
        `"${key}" is not the key of an event template. It is <instrumentType>/<templateId>, such as AKTAPilot600/P9B-1042.`,
      )
    }
    const input = { ...given, troubleshooting: safe(given.troubleshooting), remedy: safe(given.remedy) }
    return {
      key,
      input,
      columns: {
        instrument_type: names.instrumentType,
        template_id: names.templateId,
        severity: severityCodes[input.severity],
        description: input.description,
        user_message: input.userMessage,
        troubleshooting: input.troubleshooting,
        remedy: input.remedy,
      },
    }
  })
  refusals.end()
  return upsertRows(trx, writing, { kind: 'event-templates', rows })
}

function safe(html: string | null): string | null {
  return html === null ? null : sanitiseHtml(html) || null
}

/** Returns the parts of `<instrumentType>/<templateId>`; undefined if the type is unknown or the id malformed. */
function readTemplateKey(key: string): { instrumentType: InstrumentType; templateId: string } | undefined {
  const [type, templateId, ...rest] = key.split('/')
  const instrumentType = instrumentTypes.find((known) => known === type)
  if (!instrumentType || templateId === undefined || rest.length > 0 || !TEMPLATE_ID.test(templateId)) return undefined
  return { instrumentType, templateId }
}
