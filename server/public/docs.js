/** Shows openapi.json. Requests go only to this server; there is no telemetry. */
// @ts-expect-error: defined by scalar.js, which is loaded before.
globalThis.Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  theme: 'default',
  layout: 'modern',
  hideModels: false,
  defaultOpenAllTags: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'realmKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: document.title },
})
