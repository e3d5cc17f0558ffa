import type { EventTemplateInput } from '@benchwatch/contract/administration/registry'
import type { Trx } from '../../db/connect.ts'
import { severityCodes } from '../../db/sql/severity.ts'
import { references } from './references.store.ts'
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
  const types = await references(trx, {
    kind: 'instrument-types',
    keys: templates.map(({ key }) => key.split('/')[0] ?? ''),
  })
  const refusals = new Refusals()
  const rows = refusals.rowsOf(templates, ({ key, input: given }) => {
    const [instrumentType = '', templateId = ''] = key.split('/')
    types.one('key', instrumentType)
    const input = { ...given, troubleshooting: safe(given.troubleshooting), remedy: safe(given.remedy) }
    return {
      key,
      input,
      columns: {
        instrument_type: instrumentType,
        template_id: templateId,
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
