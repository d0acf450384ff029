package doctor

import "fmt"

// compare adds findings that depend on several probes.
func (r *Report) compare() {
	for _, e := range r.Environments {
		r.compareTorch(e)
		r.compareRay(e)
	}
}

// compareTorch reports an installation of torch that cannot use the existing GPUs.
func (r *Report) compareTorch(e Environment) {
	if e.Torch == nil || e.Torch.CUDA || r.Inventory == nil || len(r.Inventory.GPUs) == 0 {
		return
	}
	for i, f := range r.Findings {
		if f.Group == Python && f.Part == torchPackage && f.Status == OK && f.python == e.Python {
			r.Findings[i].Status = Warn
			r.Findings[i].Found += ", although there is a GPU"
			r.Findings[i].Remedy = "install a torch that is built for CUDA " + r.Inventory.CUDA +
				" or older, and see that CUDA_VISIBLE_DEVICES hides nothing"
			return
		}
	}
}

// compareRay reports a Ray cluster that the version of Ray in the environment cannot join.
func (r *Report) compareRay(e Environment) {
	if r.Ray == nil || r.Ray.Version == "" {
		return
	}
	for _, p := range e.Packages {
		if p.Name == "ray" && p.Version != r.Ray.Version {
			r.Findings = append(r.Findings, Finding{
				Group: Clusters, Subject: "Ray", Status: Warn,
				Found:  fmt.Sprintf("the ray of %s is %s, the cluster's is %s", e.Python, p.Version, r.Ray.Version),
				Remedy: "Ray only joins clusters of the same version: install ray==" + r.Ray.Version + " there",
			})
		}
	}
}
