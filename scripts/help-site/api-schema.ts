/** The part of JSON Schema that the API description uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  additionalProperties?: boolean | Schema
  default?: unknown
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}

/** A field of a body or a response with its path, such as `values[].alarm.id`. */
export interface Field {
  path: string
  type: string
  note: string
}

/** Deeper fields repeat the documentation of their own call. */
const DEEPEST = 4

/** Returns every field of a schema with its content, in order. */
export function fieldsOf(schema: Schema, find: (reference: string) => Schema): Field[] {
  const fields: Field[] = []
  walk(schema, '', 0)
  return fields

  function walk(part: Schema, path: string, depth: number): void {
    const inner = whole(part)
    if (inner.type === 'array' && !inner.prefixItems) walk(inner.items ?? {}, `${path}[]`, depth)
    for (const choice of inner.anyOf ?? inner.oneOf ?? []) if (whole(choice).type !== 'null') walk(choice, path, depth)
    for (const member of inner.allOf ?? []) walk(member, path, depth)
    const values = inner.additionalProperties
    if (typeof values === 'object' && Object.keys(values).length > 0 && depth < DEEPEST)
      walk(values, `${path}{…}`, depth)
    for (const [name, field] of Object.entries(inner.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`
      if (!fields.some((known) => known.path === at)) {
        fields.push({
          path: at,
          type: typeOf(field, whole),
          note: noteOf(field, inner.required?.includes(name) ?? false),
        })
      }
      if (depth < DEEPEST) walk(field, at, depth + 1)
    }
  }

  function whole(part: Schema): Schema {
    return part.$ref === undefined ? part : find(part.$ref)
  }
}

/** Returns the type of a value in words: `text`, `number or null`, `list of text`. */
export function typeOf(schema: Schema, whole: (part: Schema) => Schema): string {
  const part = whole(schema)
  if (part.const !== undefined) return JSON.stringify(part.const)
  if (part.enum) return part.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = part.anyOf ?? part.oneOf
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, whole)))].join(' or ')
  if (part.prefixItems) return `[${part.prefixItems.map((item) => typeOf(item, whole)).join(', ')}]`
  if (part.type === 'array') return `list of ${typeOf(part.items ?? {}, whole)}`
  if (Array.isArray(part.type)) return part.type.map((type) => words[type] ?? type).join(' or ')
  if (part.type === 'string' && part.format !== undefined) return formats[part.format] ?? 'text'
  return part.type === undefined ? 'anything' : (words[part.type] ?? part.type)
}

const words: Record<string, string> = {
  string: 'text',
  object: 'object',
  boolean: 'true or false',
  integer: 'whole number',
}
const formats: Record<string, string> = { 'date-time': 'instant', date: 'day', uri: 'address', email: 'e-mail address' }

/** Returns further notes on a value: optional, default, limits. */
export function noteOf(schema: Schema, isRequired: boolean): string {
  return [
    isRequired ? 'required' : undefined,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
    schema.maxLength === undefined ? undefined : `at most ${schema.maxLength} characters`,
    schema.minimum === undefined || schema.minimum < -1e9 ? undefined : `from ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum > 1e9 ? undefined : `up to ${schema.maximum}`,
    schema.maxItems === undefined ? undefined : `at most ${schema.maxItems}`,
  ]
    .filter(Boolean)
    .join(', ')
}
