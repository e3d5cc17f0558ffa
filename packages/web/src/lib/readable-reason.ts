/** Allowed values in a reason; a status has 19 of them. */
const SHOWN_VALUES = 3

/** Rewords the validator's message of a parked item as a sentence. Other reasons are sentences already. */
export function readableReason(reason: string): string {
  const [, field, message] = /^([^\s:"]+|the item): (.+)$/s.exec(reason) ?? []
  if (field === undefined || message === undefined) return reason
  const subject = field === 'the item' ? 'The item' : `The field ${field}`
  const options = /^Invalid option: expected one of (.+)$/.exec(message)?.[1]?.match(/[^"|]+/g)
  if (options) {
    const more = options.length - SHOWN_VALUES
    return `${subject} must be one of ${options.slice(0, SHOWN_VALUES).join(', ')}${more > 0 ? ` or ${more} other values` : ''}.`
  }
  const [, expected, received] = /^Invalid input: expected (.+?)(?:, received (.+))?$/.exec(message) ?? []
  if (received === 'undefined') return `${subject} is missing.`
  if (expected !== undefined) return `${subject} must be of type ${expected}.`.replace('of type "', '"')
  const [, verb, bound, rest] = /^Too (?:big|small): expected \w+ to (be|have) ([<>])=?(.+)$/.exec(message) ?? []
  if (verb !== undefined) return `${subject} must ${verb} at ${bound === '<' ? 'most' : 'least'} ${rest}.`
  if (message.includes('must match pattern')) return `${subject} has an invalid format.`
  return /^(must|is|cannot) /.test(message) ? `${subject} ${message}.` : `${subject}: ${message}.`
}
