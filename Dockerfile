# The server and its console, for amd64 and arm64. Node runs the server's sources as they are.
#   docker build -t exchequer .
#   docker buildx build --platform linux/amd64,linux/arm64 -t exchequer .
# It writes nothing: run it with a read-only root file system and without capabilities.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
# No package has an install script or a binary, so these are the same for every platform.
RUN npm ci --workspace server --omit=dev --omit=optional --no-audit --no-fund

# Static files, the same for every platform: built once, on the builder's own.
FROM --platform=$BUILDPLATFORM node:24-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
RUN npm ci --workspace console --include-workspace-root --no-audit --no-fund
COPY sdk/src sdk/src
COPY console console
RUN npm run build --workspace console

FROM node:24-slim
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Exchequer" \
      org.opencontainers.image.description="The points ledger of a community: members, wallets and points over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY LICENSE package.json ./
COPY --from=console /app/console/dist console/dist
COPY server server
# The program of /docs, one file without dependencies.
COPY --from=console /app/node_modules/@scalar/api-reference/dist/browser/standalone.js server/public/scalar.js
COPY --from=console /app/node_modules/@scalar/components/LICENSE server/public/scalar.LICENSE.txt
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/src/main.ts"]
CMD ["serve"]
