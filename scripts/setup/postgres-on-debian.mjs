const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'
const OFF = '^\\s*create_main_cluster\\s*=\\s*false'
const SERVICE_POLICY = '/usr/sbin/policy-rc.d'

/**
 * Debian's PostgreSQL without what its package does besides: no database cluster is created and no service is
 * started, as the tests run servers of their own.
 * @param {import('./apt.mjs').Apt} apt
 * @param {import('./machine.mjs').Machine} machine
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function installDebianPostgres(apt, machine) {
  const isOff = () => machine.answer('grep', ['-E', OFF, CLUSTER_SETTINGS]) !== undefined
  if (machine.exists(CLUSTER_SETTINGS) && !isOff()) {
    return { ok: false, output: `${CLUSTER_SETTINGS} is another's and asks for a cluster.` }
  }
  const withPolicy = !machine.exists(SERVICE_POLICY)
  // 101 forbids, https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt. Only while this process
  // lives: were it killed here, the system's services must not stay forbidden.
  const policy = `#!/bin/sh\\nkill -0 ${process.pid} 2>/dev/null && exit 101\\nexit 0\\n`
  if (withPolicy) {
    await apt.asRoot('sh', [
      '-c',
      `printf '${policy}' > ${SERVICE_POLICY} && chmod 755 ${SERVICE_POLICY}`,
    ])
  }
  try {
    const common = await apt.install(['postgresql-common'])
    if (!common.ok) return common
    if (!isOff()) {
      const setting = `printf '\\ncreate_main_cluster = false\\n' >> ${CLUSTER_SETTINGS}`
      await apt.asRoot('sh', ['-c', setting])
    }
    return await apt.install(['postgresql'])
  } finally {
    if (withPolicy) await apt.asRoot('rm', ['-f', SERVICE_POLICY])
  }
}
