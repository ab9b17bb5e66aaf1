/** Shows openapi.json. Requests go to this server alone, and nothing is reported anywhere. */
// @ts-expect-error: scalar.js, which was loaded before, makes it.
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
