# Node 24.18.0 on Debian 12. The digest is that of the tag's index, so it holds for every platform; renew both together.
FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ormconfig.ts openapi.json ./
COPY scripts ./scripts
COPY src ./src
COPY sdk ./sdk
# npm keeps the compiler, since a package that runs names it as an optional peer.
RUN npm run build && npm prune --omit=dev --ignore-scripts && rm -r node_modules/typescript

FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
# Without a limit V8 collects garbage late, and uses half as much memory again. The attacks of torture/ run with the same limit.
ENV NODE_OPTIONS=--max-old-space-size=512
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json /app/openapi.json ./
COPY docs/errors.md ./docs/
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data && chmod +x dist/src/cli/inventory.js && mkdir -p /usr/local/bin && ln -s /app/dist/src/cli/inventory.js /usr/local/bin/inventory
USER node
VOLUME /data
EXPOSE 3000
# Whether the process answers. A database that is away is no reason to restart it: /health/ready tells of that.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
