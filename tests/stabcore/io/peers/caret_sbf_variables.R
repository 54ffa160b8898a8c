list(selectedVars = c("ALT", "age", "HbA1c", "VEGF"), selectedVars = c("CRP", 
"ALT", "HbA1c"), selectedVars = c("CRP", "ALT", "age"), selectedVars = c("CRP", 
"IL6", "ALT", "age"), selectedVars = c("CRP", "IL6", "ALT", "age"
))
