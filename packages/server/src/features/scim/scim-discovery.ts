/** The documents with which a provider finds out what is supported (RFC 7643 sections 5 to 7). */

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0'

export const serviceProviderConfig = {
  schemas: [`${SCHEMA}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of SCIM_TOKEN in the header Authorization.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig' },
} as const

export const resourceTypes = (['User', 'Group'] as const).map((name) => ({
  schemas: [`${SCHEMA}:ResourceType`],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema: `${SCHEMA}:${name}`,
  meta: { resourceType: 'ResourceType' },
}))

const text = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const several = (name: string, mutability: 'readOnly' | 'readWrite') => ({
  name,
  type: 'complex',
  multiValued: true,
  required: false,
  mutability,
  returned: 'default',
  subAttributes: [text('value', { mutability }), text('display', { mutability: 'readOnly' })],
})

export const schemas = [
  {
    schemas: [`${SCHEMA}:Schema`],
    id: `${SCHEMA}:User`,
    name: 'User',
    attributes: [
      text('userName', { required: true, mutability: 'immutable', uniqueness: 'server' }),
      text('externalId', { caseExact: true }),
      text('displayName'),
      {
        ...text('name'),
        type: 'complex',
        subAttributes: [
          text('formatted'),
          ...['givenName', 'familyName'].map((name) => text(name, { returned: 'never' })),
        ],
      },
      { ...text('active'), type: 'boolean' },
      several('emails', 'readOnly'),
      several('groups', 'readOnly'),
    ],
    meta: { resourceType: 'Schema' },
  },
  {
    schemas: [`${SCHEMA}:Schema`],
    id: `${SCHEMA}:Group`,
    name: 'Group',
    attributes: [
      text('displayName', { required: true, uniqueness: 'server' }),
      text('externalId', { caseExact: true }),
      several('members', 'readWrite'),
    ],
    meta: { resourceType: 'Schema' },
  },
]
