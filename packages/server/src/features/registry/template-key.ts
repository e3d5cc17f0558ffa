import { TEMPLATE_ID } from '@benchwatch/contract/patterns'
import { type InstrumentType, instrumentTypes } from '@benchwatch/contract/vocabulary'

/** The parts of `<instrumentType>/<templateId>`; undefined where the type is not known or the id not well-formed. */
export function readTemplateKey(key: string): { instrumentType: InstrumentType; templateId: string } | undefined {
  const [type, templateId, ...rest] = key.split('/')
  const instrumentType = instrumentTypes.find((known) => known === type)
  if (!instrumentType || templateId === undefined || rest.length > 0 || !TEMPLATE_ID.test(templateId)) return undefined
  return { instrumentType, templateId }
}
