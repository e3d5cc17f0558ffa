import { z } from 'zod'
import { paths } from '../paths.ts'
import { instant, line, text } from '../primitives.ts'
import { admins, notAdmin, route } from '../route.ts'
import { connectionEventKinds, limits, severities } from '../vocabulary.ts'

/** Texts of connection-loss events, used if INSTRUMENT_STATUS_TEMPLATE is on. 3-decisions 4 and 5. */

/**
 * Plain texts with the `connectionPlaceholders` of the kind in braces; other placeholders are refused with
 * `unknown-placeholder`.
 */
export const connectionTemplateInput = z.strictObject({
  severity: z.enum(severities),
  description: line(limits.connectionDescription).trim().min(1),
  userMessage: text(limits.connectionUserMessage).trim().min(1).nullable(),
})
export type ConnectionTemplateInput = z.output<typeof connectionTemplateInput>

/** The texts of one kind of event, custom or built-in, and the placeholders they may use. */
export const connectionTemplate = z.object({
  kind: z.enum(connectionEventKinds),
  /** Used for the next event of this kind while custom texts are on: the saved values, or else the built-in ones. */
  severity: z.enum(severities),
  description: z.string(),
  userMessage: z.string().nullable(),
  builtIn: z.boolean(),
  /** For If-Match of a change. */
  etag: z.string(),
  /** Null for built-in texts, like `updatedBy`. */
  updatedAt: instant.nullable(),
  updatedBy: z.string().nullable(),
  /** True if such a loss creates an event: EDGE_ISSUE_EVENT_CREATION or INSTRUMENT_OFFLINE_EVENT_CREATION. */
  raised: z.boolean(),
  /** Names of the placeholders that the texts may use. */
  placeholders: z.array(z.string()),
  example: z.object({
    /** Example value of each placeholder, taken from a gateway or an instrument that the caller may see. */
    values: z.record(z.string(), z.string()),
    /** True if none is registered yet; the values are then invented and begin with "Example". */
    invented: z.boolean(),
  }),
})
export type ConnectionTemplate = z.output<typeof connectionTemplate>

const params = z.object({ kind: z.enum(connectionEventKinds) })

export const listConnectionTemplates = route({
  ...paths.listConnectionTemplates,
  summary: 'Texts of connection-loss events, and whether they are in use',
  answer: z.object({
    /** True if INSTRUMENT_STATUS_TEMPLATE is on for the deployment. Otherwise events use the built-in texts. */
    used: z.boolean(),
    /** One entry for each kind. */
    values: z.array(connectionTemplate),
  }),
  errors: notAdmin,
  access: admins,
})

export const putConnectionTemplate = route({
  ...paths.putConnectionTemplate,
  summary: 'Replace the texts of one kind of event; the change is written to the audit log',
  params,
  body: connectionTemplateInput,
  answer: connectionTemplate,
  errors: [...notAdmin, 'unknown-placeholder', 'version-mismatch'],
  access: admins,
})

export const deleteConnectionTemplate = route({
  ...paths.deleteConnectionTemplate,
  summary: 'Restore the built-in texts of one kind of event; no effect if they are in use',
  params,
  success: [204],
  errors: notAdmin,
  access: admins,
})
