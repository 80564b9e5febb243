# The product in a container: docs/deploy.md. The same Node that package.json pins; a test compares the two.
# To pin every byte, name the digest too: --build-arg NODE_IMAGE=node:26.10.0-slim@sha256:…
ARG NODE_IMAGE=node:26.10.0-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Compilers are optional packages, one per platform. No package needs its install script.
RUN npm ci --ignore-scripts
COPY tsconfig.base.json tsconfig.json vite.config.ts ./
COPY scripts ./scripts
COPY site-pictures ./site-pictures
COPY content ./content
COPY src ./src
# The school's name for the images of link previews: --build-arg SCHOOL_NAME='Cedar Bay University'
ARG SCHOOL_NAME
RUN node node_modules/vite/bin/vite.js build --app

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The only optional packages at run time are Node's binaries, which the image already has.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Campus Enquiry" \
      org.opencontainers.image.description="Lead generation for online universities: site, own API and delivery" \
      org.opencontainers.image.licenses="MIT"
# A new volume mounted on one of these gets this owner and mode.
RUN mkdir -m 0700 /data /assets && chown node:node /data /assets
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY catalogue ./catalogue
COPY content ./content
COPY docs ./docs
COPY --chmod=755 deploy/is-alive.mjs deploy/publish-assets.mjs deploy/leads ./deploy/
COPY --chmod=755 deploy/leads /usr/local/bin/
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "deploy/is-alive.mjs"]
CMD ["node", "--enable-source-maps", "dist/server/main.js"]
