'use strict';

/**
 * Configuration strings and whether setParameter took them: asked of MongoDB 6.0.5 with a cache of 256 MB and everything else at
 * its default. All of them are harmless on a server that is thrown away.
 * @type {[text: string, accepted: boolean][]}
 */
const ENGINE_STRINGS = [
  ["cache_size=512M", true], ["cache_size=512m", true], ["cache_size=1G", true], ["cache_size=1073741824", true], [" cache_size = 1G ", true], ["cache_size:1G", true],
  ["cache_size=1.5G", false], ["cache_size=\"1GB\"", false], ["cache_size=abc", false], ["cache_size=", false], ["cache_size=512M;", false],
  ["{\"cache_size\":\"1G\"}", false], ["cache_size=1KB", false], ["cache_size=11TB", false], ["cache_size=1GB", true], ["cache_size=1gb", true],
  ["cache_size=1 G", false], ["cache_size=1024MB", true], ["cache_size=1KMB", true], ["cache_size=1B", false], ["cache_size=-1", false], ["cache_size=-5M", false],
  ["cache_size", false], ["cache_size=true", false], ["cache_size=(1G)", false], ["cache_size=1G,cache_size=512M", true], ["cache_size=512M,", true],
  ["cache_size=512M,,", true], ["cache_size==512M", false], ["cache_size=:512M", true], ["cache_size=512M cache_overhead=8", false],
  ["cache_size=512M\ncache_overhead=8", false], ["cache_size=512M,cache_overhead=8", true], ["CACHE_SIZE=512M", false], ["cache-size=512M", false],
  ["cachesize=512M", false], ["cache_size=9223372036854775808", false], ["cache_size=0x40000000", false], ["cache_size=1e9", false], ["cache_size=+512M", false],
  ["cache_size='512M'", false], ["eviction=(threads_max=8)", true], ["eviction={threads_min:4,threads_max:8}", true], ["eviction=[threads_max=8]", true],
  ["eviction=(threads_max=8]", true], ["eviction=(threads_min=0)", false], ["eviction=(threads_max=21)", false], ["eviction=(threads_max=20)", true],
  ["eviction=(threads_max=0)", false], ["eviction=(threads_min=8,threads_max=4)", false], ["eviction=(threads_max=8", false], ["eviction=threads_max=8", false],
  ["eviction=threads_max", false], ["eviction.threads_max=8", false], ["eviction = (threads_max=8)", false], ["eviction =(threads_max=8)", false],
  ["eviction= (threads_max=8)", false], ["eviction:(threads_max=8)", true], ["eviction=(threads_max = 8)", true], ["eviction=( threads_max=8 )", true],
  ["eviction=()", true], ["eviction=", true], ["eviction=8", false], ["eviction=(threads=8)", false], ["eviction=(threads_max=8,threads_max=6)", true],
  ["eviction=(threads_max=8),eviction=(threads_min=2)", true], ["\"eviction\"=(threads_max=8)", false], ["eviction=(\"threads_max\"=8)", true],
  ["\"cache_size\"=512M", true], ["eviction=(threads_max=8)(threads_min=4)", false], ["eviction=(threads_max=8))", false], ["eviction,cache_size=512M", false],
  ["(cache_size=512M)", true], ["(cache_size=512M),foo=1", true], ["[cache_size=512M,cache_overhead=8]", true], ["cache_size=512M)", false], [")", false], ["(", false],
  ["()", true], ["", true], ["   ", true], [",", true], [",,", true], ["foo=1", false], ["foo", false], ["session_max=100", false], ["log=(enabled=true)", false],
  ["log=(remove=true)", true], ["log=(archive=true)", true], ["create", false], ["8=1", false], ["=512M", false], ["eviction_target=80", true],
  ["eviction_target=90,eviction_trigger=85", true], ["eviction_target=80%", false], ["eviction_target=80.5", false], ["eviction_target=5", false],
  ["eviction_target=101", true], ["eviction_target=100M", true], ["eviction_target=100", true], ["eviction_dirty_target=0", false],
  ["eviction_dirty_target=30,eviction_dirty_trigger=20", true], ["eviction_dirty_target=10M,eviction_dirty_trigger=40M", true], ["eviction_dirty_target=100G", false],
  ["eviction_updates_target=0,eviction_updates_trigger=0", true], ["eviction_updates_trigger=20", true], ["eviction_checkpoint_target=0", true],
  ["eviction_dirty_trigger=99", true], ["eviction_trigger=95,eviction_target=80,eviction_dirty_target=5,eviction_dirty_trigger=20", true],
  ["file_manager=(close_idle_time=600,close_scan_interval=10,close_handle_minimum=2000)", true], ["file_manager=(close_scan_interval=0)", false],
  ["file_manager=(close_idle_time=100001)", false], ["statistics=(fast)", true], ["statistics=fast", false], ["statistics=[fast]", true],
  ["statistics=(all,fast)", false], ["statistics=(bogus)", false], ["statistics=(fast,clear)", true], ["statistics_log=(wait=0)", true], ["verbose=[]", true],
  ["verbose=()", true], ["verbose=[evict]", true], ["verbose=[evict:0]", true], ["verbose=[nothing]", false], ["verbose=evict", false], ["verbose=(api:1)", true], ["verbose=(api:2)", false], ["verbose=(api:-1)", false], ["verbose=(api:true)", false], ["verbose=(api:\"1\")", false], ["verbose=(api:\"\")", false], ["verbose=(api:)", true], ["verbose=(api:1B)", true],
  ["verbose=(api:1K)", false], ["verbose=(api:9,api:1)", true], ["verbose=(api:1,\"api\":9)", false], ["verbose=(api:9),verbose=(evict)", true], ["\"verbose\"=(api:9)", false], ["verbose=(history_store:9)", true], ["verbose=[]", true],
  ["json_output=(error,message)", true], ["json_output=[error]", true], ["error_prefix=\"x\"", true], ["error_prefix=x", true], ["io_capacity=(total=0)", true],
  ["io_capacity=(total=10)", false], ["io_capacity=(total=10M)", true], ["cache_max_wait_ms=0", true], ["cache_max_wait_ms=-1", false], ["operation_timeout_ms=0", true],
  ["cache_overhead=31", false], ["cache_overhead=8", true], ["history_store=(file_max=0)", true], ["history_store=(file_max=10)", false],
  ["debug_mode=(cursor_copy=false)", true], ["debug_mode=(cursor_copy=2)", false], ["debug_mode=(cursor_copy=no)", false], ["debug_mode=(table_logging=1)", true],
  ["compatibility=(release=)", true], ["compatibility=(release=true)", false], ["compatibility=(release=99.0)", false], ["tiered_storage=(local_retention=300)", true], ["block_cache=(enabled=false)", true], ["block_cache=(enabled=true)", false], ["block_cache=(enabled=true,size=100M)", false], ["block_cache=(enabled,type=dram)", false], ["block_cache=(enabled=true,type=x,size=1M)", false],
  ["block_cache=(enabled=true,type=nvram,size=1M)", false], ["block_cache=(size=100M,type=x)", true], ["block_cache=(enabled),block_cache=(enabled=false)", true], ["cache_stuck_timeout_ms=1", false],
  ["extra_diagnostics=[]", false], ["lsm_manager=(worker_thread_max=4)", true], ["eviction=(evict_sample_inmem=true)", false], ["checkpoint=(wait=0)", true],
  ["checkpoint=(wait=-1)", false], ["checkpoint=(log_size=3GB)", false], ["shared_cache=(name=none)", true], ["operation_tracking=(enabled=false)", true],
  ["config_base=false", false], ["cache_size=512M/*c*/", false], ["cache_size=512M #c", false], ["cache_size=512é", false], ["error_prefix=\"é\"", true],
  ["error_prefix=\"a\\\"b\"", true], ["error_prefix=\"a\\qb\"", false], ["error_prefix=a(b", true], ["error_prefix=%p", false], ["error_prefix=.x", true],
  ["error_prefix=", true], ["timing_stress_for_test=[]", true], ["timing_stress_for_test=[bogus]", false], ["statistics=", false], ["statistics", false],
  ["verbose", false], ["cache_size=512M,eviction=(threads_max=8),eviction_dirty_trigger=20", true], ["cache_size=512P", false], ["cache_size=99999999T", false],
  ["eviction=(threads_max=8) ,cache_overhead=8", true], ["eviction=(threads_max=8),cache_overhead", false], ["a=b=c", false], ["cache_overhead=8=9", false],
  ["statistics_log=(sources=[x])", false], ["statistics_log=(sources=[file:x])", true], ["statistics_log=(sources=[\"lsm:y\"])", true], ["statistics_log=(sources=[\"file:\",x])", false], ["statistics_log=(sources=[x:0])", false],
  ["statistics_log=(sources=[x]),statistics_log=(wait=0)", false], ["statistics_log=(sources=[x]),statistics_log=(sources=())", true], ["statistics_log=(sources=(),sources=[x])", false], ["statistics_log=(sources=())", true],
  ["statistics=(fast:0,all)", true], ["statistics=(fast:false,all)", true], ["statistics=(fast=x,all)", false], ["statistics=(all=,fast)", false], ["statistics=(all:\"\",fast)", false], ["statistics=(fast)", true],
  ["io_capacity=(total=10),io_capacity=(total=0)", true],
  ["cache_overhead=8:9", false], ["error_prefix=a:b", false], ["cache_overhead=08", true], ["cache_overhead=0-8", false], ["cache_overhead=8,9", false],
];

module.exports = { ENGINE_STRINGS };
