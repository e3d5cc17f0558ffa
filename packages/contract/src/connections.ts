import { z } from 'zod'
import { paths } from './paths.ts'
import { instant, line, text } from './primitives.ts'
import { admins, notAdmin, route } from './route.ts'
import { connectionEventKinds, limits, severities } from './vocabulary.ts'

/** What events about lost connections say: the effect of INSTRUMENT_STATUS_TEMPLATE. 3-decisions 4 and 5. */

/**
 * Texts are plain, with placeholders in braces of `connectionPlaceholders` of the kind; others are refused with
 * `unknown-placeholder`.
 */
export const connectionTemplateInput = z.strictObject({
  severity: z.enum(severities),
  description: line(limits.connectionDescription).trim().min(1),
  userMessage: text(limits.connectionUserMessage).trim().min(1).nullable(),
})
export type ConnectionTemplateInput = z.output<typeof connectionTemplateInput>

/** The texts of one kind of event, own or built in, with what they may name. */
export const connectionTemplate = z.object({
  kind: z.enum(connectionEventKinds),
  /** As it stands in the next event of this kind while own texts are used: somebody's, else the built-in ones. */
  severity: z.enum(severities),
  description: z.string(),
  userMessage: z.string().nullable(),
  builtIn: z.boolean(),
  /** Both null for built-in texts. */
  updatedAt: instant.nullable(),
  updatedBy: z.string().nullable(),
  /** Whether such a silence makes an event: EDGE_ISSUE_EVENT_CREATION or INSTRUMENT_OFFLINE_EVENT_CREATION. */
  raised: z.boolean(),
  /** Names of what the texts may hold in braces. */
  placeholders: z.array(z.string()),
  example: z.object({
    /** What would stand for each placeholder, for a gateway or an instrument that the caller sees. */
    values: z.record(z.string(), z.string()),
    /** None is registered yet: its names begin with "Example". */
    invented: z.boolean(),
  }),
})
export type ConnectionTemplate = z.output<typeof connectionTemplate>

const params = z.object({ kind: z.enum(connectionEventKinds) })

export const listConnectionTemplates = route({
  ...paths.listConnectionTemplates,
  summary: 'Texts of the events about silent gateways and instruments, and whether they are used',
  answer: z.object({
    /** INSTRUMENT_STATUS_TEMPLATE of the deployment; without it events have the built-in texts. */
    used: z.boolean(),
    /** Each kind once. */
    values: z.array(connectionTemplate),
  }),
  errors: notAdmin,
  access: admins,
})

export const putConnectionTemplate = route({
  ...paths.putConnectionTemplate,
  summary: 'Replace the texts of one kind of event; the change is recorded',
  params,
  body: connectionTemplateInput,
  answer: connectionTemplate,
  errors: [...notAdmin, 'unknown-placeholder'],
  access: admins,
})

export const deleteConnectionTemplate = route({
  ...paths.deleteConnectionTemplate,
  summary: 'Go back to the built-in texts of one kind of event; harmless where they hold already',
  params,
  success: [204],
  errors: notAdmin,
  access: admins,
})
