# The server with its console, and the command line, for amd64 and arm64. Node runs the server's sources as
# they are.
#   docker build -t exchequer .
#   docker buildx build --platform linux/amd64,linux/arm64 -t exchequer .
# It writes nothing: run it with a read-only root file system and without capabilities. Nothing is run on the
# platform that an image is for, so no emulator is needed. /app/sbom.cdx.json lists the packages in it.
FROM --platform=$BUILDPLATFORM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
# No package has an install script or a binary, so these are the same for every platform. npm's own list of
# them has addresses of the registry.
RUN npm ci --workspace server --workspace sdk --workspace cli --omit=dev --omit=optional --no-audit --no-fund \
  && rm node_modules/.package-lock.json

# Files that are the same for every platform: built once, on the builder's own.
FROM --platform=$BUILDPLATFORM node:24-slim AS built
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
RUN npm ci --workspace console --workspace sdk --workspace cli --include-workspace-root --no-audit --no-fund
COPY sdk sdk
COPY cli cli
COPY console console
# The console reads and writes files by the server's own code.
COPY server/src/files/imports/csv.ts server/src/files/imports/
COPY server/src/files/exports/csv.ts server/src/files/exports/guard.ts server/src/files/exports/
RUN npm run build --workspace sdk --workspace cli --workspace console
RUN chmod +x cli/dist/main.js && mkdir bin && ln -s /app/cli/dist/main.js bin/exchequer
COPY .ci/sbom.ts .ci/
RUN node .ci/sbom.ts server sdk cli console @scalar/api-reference >sbom.cdx.json

FROM node:24-slim
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Exchequer" \
      org.opencontainers.image.description="The points ledger of a community: members, wallets and points over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 EXCHEQUER_URL=http://127.0.0.1:8080
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY LICENSE package.json ./
COPY --from=built /app/sbom.cdx.json ./
COPY --from=built /app/console/dist console/dist
# For `docker compose exec server exchequer …`.
COPY sdk/package.json sdk/
COPY --from=built /app/sdk/dist sdk/dist
COPY cli/package.json cli/
COPY --from=built /app/cli/dist cli/dist
COPY --from=built /app/bin /usr/local/bin
COPY server server
# The program of /docs, one file without dependencies.
COPY --from=built /app/node_modules/@scalar/api-reference/dist/browser/standalone.js server/public/scalar.js
COPY --from=built /app/node_modules/@scalar/components/LICENSE server/public/scalar.LICENSE.txt
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/src/main.ts"]
CMD ["serve"]
